import ODataText

/// The words that the sample's texts are made of; some hold quotes and letters beyond ASCII on purpose.
enum SampleWords {
    static let givenNames = [
        "Mia", "Noah", "Zoë", "Emil", "Aya", "Jürgen", "Ines", "Łukasz", "Søren", "Olga", "Ravi",
        "Chloé",
    ]
    static let familyNames = [
        "Albrecht", "O'Hara", "Brandt", "Dvořák", "Eriksen", "Fischer", "García", "Huber", "Ito",
        "Jansen", "Köhler", "Lindqvist", "Müller", "Nowak", "Okafor", "Petrov",
    ]
    static let trades = ["Cooling", "Logistics", "Foods", "Metals", "Care", "Print", "Textiles"]
    static let forms = ["GmbH", "AG", "Ltd", "& Sons", "A/S", "B.V."]
    static let cities = [
        "Hamburg", "München", "Zürich", "Aarhus", "Wien", "Gdańsk", "Utrecht", "Köln", "Bremen",
        "Leipzig",
    ]
    static let streets = ["Harbour Road", "Mill Lane", "Lindenallee", "Ringstraße", "Station Sq."]
    static let manufacturers = ["Nordfrost", "Helio", "Brückner", "Atlas & Co", "Kestrel"]
    static let verbs = ["Inspect", "Repair", "Replace", "Clean", "Calibrate", "Install"]
    static let parts = [
        "compressor", "valve", "pump", "filter", "control unit", "fan", "sensor", "gasket",
    ]
    static let noteWords = [
        "checked", "the", "unit", "leaks", "after", "restart", "pressure", "is", "low", "customer",
        "says \"soon\"", "ordered", "spare", "part", "100%", "ok", "später", "prüfen", "\\",
        "line\nbreak",
    ]
}

/// A tiny picture: an uncompressed bitmap of eight by eight dots.
enum SampleBitmap {
    static func bytes(_ random: inout SeededGenerator) -> [UInt8] {
        var bytes: [UInt8] = [0x42, 0x4D]
        append(246, to: &bytes)
        append(0, to: &bytes)
        for number in [54, 40, 8, 8] { append(UInt32(number), to: &bytes) }
        bytes += [1, 0, 24, 0]
        for number in [0, 192, 2_835, 2_835, 0, 0] { append(UInt32(number), to: &bytes) }
        while bytes.count < 246 {
            let dots = random.next()
            for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: dots >> (8 * shift))) }
        }
        return bytes
    }

    private static func append(_ number: UInt32, to bytes: inout [UInt8]) {
        for shift in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * shift))) }
    }
}
