import HeadlessUIKit
import Testing
@Suite struct FlowLayoutTests {}
