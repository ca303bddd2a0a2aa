import ODataText

/// How one client works, as the seed draws it.
struct FieldHabits: Sendable {
    enum Policy: CaseIterable, Sendable { case report, clientWins, serverWins, merge }

    var batchesUploads = true
    var batchesDownloads = false
    var readers = 1
    var writers = 1
    var combinesUpdates = true
    var combinesDeletes = true
    var sendsIdentities = true
    var policy = Policy.report
    /// Whether the set as a whole is downloaded, or only what queries ask for.
    var readsAll = true
    var isEncrypted = false
    /// How many times the process is killed or the power is lost.
    var deaths = 0
    var losesPower = false
    var fillsDisk = false
    var changesUsers = false
    /// How many things the app does.
    var acts = 6

    init(_ random: inout SeededGenerator) {
        batchesUploads = random.below(2) == 0
        batchesDownloads = random.below(3) == 0
        readers = 1 + random.below(2)
        writers = 1 + random.below(3)
        combinesUpdates = random.below(4) != 0
        combinesDeletes = random.below(4) != 0
        sendsIdentities = random.below(4) != 0
        policy = random.below(2) == 0 ? .report : Policy.allCases[random.below(4)]
        readsAll = random.below(4) != 0
        isEncrypted = random.below(16) == 0
        deaths = random.below(3) == 0 ? 1 + random.below(2) : 0
        losesPower = random.below(3) == 0
        fillsDisk = random.below(10) == 0
        changesUsers = random.below(8) == 0
        acts = 4 + random.below(8)
    }
}
