import ODataClasses
import ODataModel

/// What every notice of progress says.
public protocol OfflineODataProviderProgressReporting: Sendable {
    /// Equal in all notices of one operation.
    var operationId: String { get }
    /// The place of ``step`` among the steps of the operation, from 1 on; steps may be left out.
    var currentStepNumber: Int { get }
    /// How many steps the operation has at most.
    var totalNumberOfSteps: Int { get }
    /// When the step was reached.
    var time: GlobalDateTime { get }
    /// The step.
    var step: OfflineODataOperationStep { get }
    /// What the step is about; for transfers the bytes so far.
    var parameters: [String] { get }
    /// What the step does, in English.
    var defaultMessage: String { get }
}

/// Progress of opening or uploading.
public struct OfflineODataProviderOperationProgress: OfflineODataProviderProgressReporting {
    /// Equal in all notices of one operation.
    public let operationId: String
    /// The place of ``step`` among the steps of the operation.
    public let currentStepNumber: Int
    /// How many steps the operation has at most.
    public let totalNumberOfSteps: Int
    /// When the step was reached.
    public let time: GlobalDateTime
    /// The step.
    public let step: OfflineODataOperationStep
    /// What the step is about.
    public let parameters: [String]
    /// What the step does, in English.
    public let defaultMessage: String
}

/// Progress of downloading.
public struct OfflineODataProviderDownloadProgress: OfflineODataProviderProgressReporting {
    private let progress: OfflineODataProviderOperationProgress

    init(_ progress: OfflineODataProviderOperationProgress) { self.progress = progress }

    /// Equal in all notices of one operation.
    public var operationId: String { progress.operationId }
    /// The place of ``step`` among the steps of the operation.
    public var currentStepNumber: Int { progress.currentStepNumber }
    /// How many steps the operation has at most.
    public var totalNumberOfSteps: Int { progress.totalNumberOfSteps }
    /// When the step was reached.
    public var time: GlobalDateTime { progress.time }
    /// The step.
    public var step: OfflineODataOperationStep { progress.step }
    /// What the step is about.
    public var parameters: [String] { progress.parameters }
    /// What the step does, in English.
    public var defaultMessage: String { progress.defaultMessage }
}
