import ODataTesting
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
    /// Whether each download looks for new metadata, or only that of another day.
    var asksForMetadata = true
    /// Whether the first life finds no store; otherwise there is one, which has synchronised an hour before.
    var startsEmpty = true
    /// The format of the store that is found, older than the present one; nil for the present one.
    var format: Int?
    /// The app of the second life downloads the sets as a whole where the first one's did not, and the reverse.
    var switchesDownload = false

    /// - Parameter isLong: of the few schedules in which much happens.
    init(_ random: inout SeededGenerator, isLong: Bool = false) {
        batchesUploads = random.below(2) == 0
        batchesDownloads = random.below(3) == 0
        readers = 1 + random.below(2)
        writers = 1 + random.below(3)
        combinesUpdates = random.below(4) != 0
        combinesDeletes = random.below(4) != 0
        sendsIdentities = random.below(4) != 0
        policy = random.below(2) == 0 ? .report : Policy.allCases[random.below(4)]
        readsAll = random.below(4) != 0
        isEncrypted = random.below(isLong ? 8 : 24) == 0
        deaths = random.below(isLong ? 2 : 6) == 0 ? 1 + random.below(isLong ? 2 : 1) : 0
        losesPower = random.below(3) == 0
        fillsDisk = random.below(10) == 0
        changesUsers = random.below(8) == 0
        acts = isLong ? 4 + random.below(13) : 1 + random.below(3)
        startsEmpty = isEncrypted || random.below(8) == 0
        if !startsEmpty, random.below(12) == 0 {
            format = 1 + random.below(OlderFormat.current - 1)
        }
        switchesDownload = deaths > 0 && random.below(6) == 0
    }
}
