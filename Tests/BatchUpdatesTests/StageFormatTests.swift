import BatchUpdates
import ListModel
import Testing

/// Stages as JSON, which files, reports and questions hold.
@Suite struct StageFormatTests {
  private func text(_ stage: Stage) -> String {
    var writer = JSONWriter()
    stage.write(to: &writer)
    return writer.text
  }

  private func path(_ section: Int, _ item: Int) -> ItemPath {
    ItemPath(section: section, item: item)
  }

  @Test func aStageIsReadAsItIsWritten() throws {
    var stage = Stage()
    stage.deleteSections = [1, 2]
    stage.insertSections = [3, 4]
    stage.moveSections = [.init(from: 5, to: 6), .init(from: 7, to: 8)]
    stage.deleteItems = [path(0, 9), path(0, 10)]
    stage.insertItems = [path(0, 11), path(0, 12)]
    stage.moveItems = [.init(from: path(0, 13), to: path(0, 14))]
    stage.reloadItems = [path(0, 15), path(0, 16)]
    stage.reconfigureItems = [path(0, 17), path(0, 18)]
    stage.updateSections = [9, 10]
    stage.counts = [20, 0, 21]
    #expect(
      text(stage) == """
        {"deleteSections":[1,2],"insertSections":[3,4],"moveSections":[[5,6],[7,8]],\
        "deleteItems":[[0,9],[0,10]],"insertItems":[[0,11],[0,12]],"moveItems":[[[0,13],[0,14]]],\
        "reloadItems":[[0,15],[0,16]],"reconfigureItems":[[0,17],[0,18]],"updateSections":[9,10],\
        "counts":[20,0,21]}
        """)
    #expect(try Stage(JSONNode(parsing: Array(text(stage).utf8)).object()) == stage)
  }
}
