import ODataText

/// The rows of the sample: a pure function of seed, table and row number (and of the sizes of referenced tables).
package struct FieldServiceRows: Sendable {
    private let sample: FieldServiceSample

    package init(sample: FieldServiceSample) {
        self.sample = sample
    }

    /// The values of a row in the order of the table's columns.
    func values(of table: FieldServiceTable, row: Int) -> [SampleValue] {
        switch table {
        case .customers: customer(row)
        case .sites: site(row)
        case .equipment: equipment(row)
        case .workOrders: workOrder(row)
        case .timeEntries: timeEntry(row)
        case .photos: photo(row)
        }
    }

    private func generator(_ table: UInt64, _ row: Int) -> SeededGenerator {
        SeededGenerator(seed: sample.seed, table: table, row: row)
    }

    private func customerID(_ row: Int) -> String {
        var generator = generator(100, row)
        return generator.uuidText()
    }

    private func serialNumber(_ row: Int) -> String { "EQ-" + padded(row + 1, 8) }

    private func customer(_ row: Int) -> [SampleValue] {
        var random = generator(1, row)
        let family = random.pick(SampleWords.familyNames)
        let name = "\(family) \(random.pick(SampleWords.trades)) \(random.pick(SampleWords.forms))"
        return [
            .text(customerID(row)), .text("C" + padded(row + 1, 7)), .text(name),
            random.chance(90) ? .text("office\(row + 1)@\(family.lowercased()).example") : .null,
            random.chance(80)
                ? .text("+49 \(600 + random.below(300)) \(padded(random.below(10_000_000), 7))")
                : .null,
            .text(random.pick(["Hospital", "Hotel", "Factory", "Retail", "Office"])),
            random.chance(85) ? money(&random, upTo: 50_000_000) : .null,
            random.chance(70) ? .real(Double(random.below(500)) / 100) : .null,
            .integer(random.chance(92) ? 1 : 0), date(&random, from: 10_957, days: 8_000),
            dateTime(&random), note(&random),
        ]
    }

    private func site(_ row: Int) -> [SampleValue] {
        var random = generator(2, row)
        let city = random.pick(SampleWords.cities)
        return [
            .integer(Int64(row) + 1),
            .text(customerID(random.below(sample.rows(of: .customers)))),
            .text("\(city) \(random.pick(["North", "South", "Harbour", "Airport", "Centre"]))"),
            .text("\(random.pick(SampleWords.streets)) \(1 + random.below(200))"), .text(city),
            .text(padded(10_000 + random.below(80_000), 5)),
            .text(random.pick(["DE", "AT", "CH", "DK", "PL", "NL"])),
            .real(45 + Double(random.below(1_000_000)) / 100_000),
            .real(5 + Double(random.below(1_500_000)) / 100_000),
            .text("\(padded(6 + random.below(4), 2)):\(random.chance(50) ? "00" : "30"):00"),
            .integer(random.chance(60) ? 1 : 0),
        ]
    }

    private func equipment(_ row: Int) -> [SampleValue] {
        var random = generator(3, row)
        let parent =
            row > 0 && random.chance(25) ? SampleValue.text(serialNumber(random.below(row))) : .null
        return [
            .text(serialNumber(row)), .integer(Int64(random.below(sample.rows(of: .sites))) + 1),
            parent, .text("\(random.pick(["HX", "PV", "CL", "RT"]))-\(100 + random.below(900))"),
            .text(random.pick(SampleWords.manufacturers)),
            .text(random.pick(["Running", "Running", "Stopped", "Defective", "Retired"])),
            date(&random, from: 14_610, days: 5_000),
            random.chance(60) ? date(&random, from: 20_000, days: 2_000) : .null,
            money(&random, upTo: 9_000_000),
            .integer(Int64(random.below(1 << 40)) &* 1_000 &+ Int64(random.below(1_000))),
            random.chance(80) ? .text("P\(30 * (1 + random.below(24)))D") : .null,
        ]
    }

    private func workOrder(_ row: Int) -> [SampleValue] {
        var random = generator(4, row)
        let status = random.pick(["Open", "Open", "Planned", "InProgress", "Done", "Cancelled"])
        return [
            .integer(Int64(row) + 1), .integer(Int64(random.below(sample.rows(of: .sites))) + 1),
            random.chance(85)
                ? .text(serialNumber(random.below(sample.rows(of: .equipment)))) : .null,
            .text("WO-" + padded(row + 1, 8)),
            .text("\(random.pick(SampleWords.verbs)) \(random.pick(SampleWords.parts))"),
            note(&random), .integer(Int64(1 + random.below(4))), .text(status), dateTime(&random),
            random.chance(80) ? dateTime(&random) : .null,
            status == "Done" ? date(&random, from: 19_800, days: 700) : .null,
            random.chance(90) ? duration(&random) : .null,
            random.chance(75) ? money(&random, upTo: 500_000) : .null,
            .integer(random.chance(70) ? 1 : 0),
            random.chance(80) ? .text(person(&random)) : .null,
        ]
    }

    /// Several entries of one work order stand together: position 1 … n.
    private func timeEntry(_ row: Int) -> [SampleValue] {
        var random = generator(5, row)
        let orders = sample.rows(of: .workOrders)
        let quarters = 1 + random.below(32)
        return [
            .integer(Int64(row % orders) + 1), .integer(Int64(row / orders) + 1),
            .text(person(&random)), dateTime(&random),
            .text(quarters < 4 ? "PT\(quarters * 15)M" : hoursText(quarters)),
            .real(Double(quarters) / 4), .integer(random.chance(10) ? 1 : 0), note(&random),
        ]
    }

    private func photo(_ row: Int) -> [SampleValue] {
        var random = generator(6, row)
        let content = SampleBitmap.bytes(&random)
        return [
            .text(random.uuidText()),
            .integer(Int64(random.below(sample.rows(of: .workOrders))) + 1),
            random.chance(70) ? .text("\(random.pick(SampleWords.parts)) before repair") : .null,
            .text("image/bmp"), .blob(content), .integer(Int64(content.count)), dateTime(&random),
        ]
    }
}

extension FieldServiceRows {
    private func person(_ random: inout SeededGenerator) -> String {
        "\(random.pick(SampleWords.givenNames)) \(random.pick(SampleWords.familyNames))"
    }

    private func note(_ random: inout SeededGenerator) -> SampleValue {
        guard random.chance(50) else { return .null }
        let words = (0..<(3 + random.below(9))).map { _ in random.pick(SampleWords.noteWords) }
        return .text(words.joined(separator: " "))
    }

    private func money(_ random: inout SeededGenerator, upTo cents: Int) -> SampleValue {
        .real(Double(random.below(cents)) / 100)
    }

    private func date(_ random: inout SeededGenerator, from day: Int, days: Int) -> SampleValue {
        .text(Self.dateText(day + random.below(days)))
    }

    /// An instant in 2024 or 2025, to the second or to the millisecond.
    private func dateTime(_ random: inout SeededGenerator) -> SampleValue {
        let day = Self.dateText(19_723 + random.below(730))
        let second = random.below(86_400)
        let clock =
            "\(padded(second / 3_600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
        let fraction = random.chance(20) ? "." + padded(1 + random.below(999), 3) : ""
        return .text("\(day)T\(clock)\(Self.trimmed(fraction))Z")
    }

    private func duration(_ random: inout SeededGenerator) -> SampleValue {
        let quarters = 1 + random.below(40)
        return .text(quarters < 4 ? "PT\(quarters * 15)M" : hoursText(quarters))
    }

    private func hoursText(_ quarters: Int) -> String {
        quarters % 4 == 0 ? "PT\(quarters / 4)H" : "PT\(quarters / 4)H\(quarters % 4 * 15)M"
    }

    private func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    private static func trimmed(_ fraction: String) -> String {
        var text = Substring(fraction)
        while text.hasSuffix("0") { text = text.dropLast() }
        return text == "." ? "" : String(text)
    }

    /// The Gregorian date of a day counted from 1970-01-01 (days before it are not needed here).
    static func dateText(_ day: Int) -> String {
        let shifted = day + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        let dayOfMonth = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        return "\(year)-\(month < 10 ? "0" : "")\(month)-\(dayOfMonth < 10 ? "0" : "")\(dayOfMonth)"
    }
}
