extension Schedule {
  /// A schedule out of a seed.
  ///
  /// Schedules differ in their character: some have a bad network, some a bad disk, some many users.
  /// One in which everything fails all the time would get nowhere.
  ///
  /// `isSmall`: One device and few steps: many such schedules find what few steps can do, in any order.
  init(random seed: UInt64, isSmall: Bool = false) {
    var random = Randomness(seed: seed &* 0x9E37_79B9 &+ 17)
    let names = isSmall || random.percent(60) ? ["a"] : ["a", "b"]
    let devices = names.map { name in
      DeviceSetting(
        name: name, screen: random.one(of: ScreenKind.allCases) ?? .table,
        isFull: random.percent(50))
    }
    var weights: [(Verb, Int)] = [
      (.edit, 10), (.undo, 3), (.redo, 2), (.note, 8), (.unnote, 3), (.renote, 2), (.scroll, 8),
      (.rotate, 2), (.show, 2), (.leave, 1), (.hold, 1), (.drag, 3), (.discard, 1), (.launch, 2),
      (.memory, 1),
      (.clock, 1), (.widget, 4), (.rest, 1),
    ]
    if random.percent(40) { weights += [(.network, 5)] }
    if random.percent(25) { weights += [(.search, 4)] }
    let hasMail = random.percent(30)
    if hasMail { weights += [(.inbox, 5), (.refresh, 2), (.link, 2), (.flag, 3), (.scroll, 8)] }
    if random.percent(35) { weights += [(.kill, 3), (.crash, 4), (.launch, 5)] }
    if random.percent(25) { weights += [(.power, 3), (.launch, 3)] }
    if random.percent(25) { weights += [(.fail, 3), (.full, 1), (.heal, 4)] }
    if random.percent(20) { weights += [(.suspend, 3), (.resume, 4)] }
    // Not by chance: so the schedules of the other seeds stay what they were.
    let relayNodes = seed % 5 == 4 ? 1 + Int(seed / 5 % 2) : nil
    let serverWeights =
      relayNodes == nil ? Self.serverWeights(&random) : Self.relayWeights(&random)
    var steps: [Step] = []
    for _ in 0..<(isSmall ? 1 + random.below(8) : 12 + random.below(40)) {
      let isServer = random.percent(25)
      let subject = isServer ? "server" : random.one(of: names) ?? "a"
      steps.append(
        Step(
          pause: Self.pause(&random), subject: subject,
          verb: Self.verb(
            isServer ? serverWeights + (hasMail ? [(.mail, 5)] : []) : weights, &random),
          number: random.next() % 10_000))
    }
    if random.percent(5), let name = random.one(of: names), relayNodes == nil {
      // Hours without a network. Nodes look for one another's lines each second, and no more happens.
      let number = (0..<1_000).first { World.network(ofStep: $0) == .down } ?? 0
      let next = Step(
        pause: 1_200_000 + random.below(6_000_000), subject: name, verb: .note,
        number: random.next() % 10_000)
      steps.insert(
        contentsOf: [Step(pause: 1, subject: name, verb: .network, number: number), next],
        at: random.below(steps.count))
    }
    self.init(seed: seed, relayNodes: relayNodes, devices: devices, steps: steps)
  }

  private static func serverWeights(_ random: inout Randomness) -> [(Verb, Int)] {
    [(.change, 10), (.refuse, 1)]
      + (random.percent(30) ? [(.compact, 2), (.snapshot, 1)] : [])
      + (random.percent(20) ? [(.reset, 1)] : [])
  }

  private static func relayWeights(_ random: inout Randomness) -> [(Verb, Int)] {
    [(.change, 10), (.snapshot, 1), (.launch, 3)]
      + (random.percent(40) ? [(.compact, 3)] : [])
      + (random.percent(50) ? [(.kill, 3), (.crash, 4), (.launch, 4)] : [])
      + (random.percent(25) ? [(.power, 2), (.launch, 3)] : [])
      + (random.percent(20) ? [(.fail, 3), (.full, 1), (.heal, 4)] : [])
  }

  private static func pause(_ random: inout Randomness) -> Int {
    switch random.below(10) {
    case 0..<4: random.below(4)
    case 4..<8: random.below(120)
    case 8: random.below(2_000)
    default: random.below(random.percent(6) ? 600_000 : 40_000)
    }
  }

  private static func verb(_ weights: [(Verb, Int)], _ random: inout Randomness) -> Verb {
    var number = random.below(weights.reduce(0) { $0 + $1.1 })
    for (verb, weight) in weights {
      if number < weight { return verb }
      number -= weight
    }
    return .rest
  }
}
