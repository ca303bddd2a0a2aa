import ODataClasses
import Foundation
import ODataModel
import Testing

@Suite struct ListTests {
    @Test func listsGrowAndIterate() {
        let list = StringList()
        _ = list.append("a")
        list.append("b").appendThis("c")
        #expect(list.length == 3 && list.count == 3)
        #expect(list.first() == "a" && list.last() == "c" && list[1] == "b")
        #expect(list.map { $0 } == ["a", "b", "c"])
        #expect(list.toArray().first == "a")
        list[0] = "z"
        #expect(list.indexOf("z") == 0 && list.indexOf("q") == -1 && list.includes("c"))
        list.sort()
        #expect(list.toArray() == ["b", "c", "z"])
        #expect(list.slice(-2).toArray() == ["c", "z"])
        list.removeAt(0)
        list.insert("y", at: 1)
        #expect(list.toString() == #"["c","y","z"]"#)
        #expect(StringList.empty.isEmpty)
    }

    @Test func literalsMakeLists() {
        let list: StringList = ["a", "b"]
        #expect(list.toArray() == ["a", "b"])
        #expect(IntList.fromArray([1, 2]).dataValues().first??.toString() == "1")
    }

    @Test func listsOfOtherClassesAreRetyped() {
        let dynamic = DataValueList.fromArray([StringValue.of("a"), StringValue.of("b")])
        #expect(StringList.castRequired(dynamic).toArray() == ["a", "b"])
        #expect(DataValueList.share(StringList.fromArray(["a", "b"])) == dynamic)
        #expect(LongList.share(IntList.fromArray([1])).toArray() == [1])
    }

    @Test func copiesDoNotShareItems() {
        let list = StringList.fromArray(["a"])
        let copy = list.copy()
        copy.append("b")
        #expect(list.length == 1 && copy.length == 2)
        #expect(list != copy)
    }

    @Test func mapsKeepTheOrderOfTheirKeys() {
        let map = StringMap()
        map.setThis("b", "1").set("a", "2")
        map.set("b", "3")
        #expect(map.keys().toArray() == ["b", "a"])
        #expect(map.values().toArray() == ["3", "2"])
        #expect(map.sortedKeys().toArray() == ["a", "b"])
        #expect(map["a"] == "2" && map.get("x") == nil && map.has("b"))
        #expect(map.delete("b") && !map.delete("b"))
        #expect(map.map(\.key) == ["a"])
    }

    @Test func streamsAreReadOnceFromFrontToBack() throws {
        let stream = ByteStream.fromBinary(data: Data([1, 2, 3, 4, 5]), offset: 1, length: 3)
        #expect(try stream.readBinary(2) == Data([2, 3]))
        #expect(try stream.readAndClose() == Data([4]))
        #expect(try stream.readBinary(1) == nil)
        #expect(ByteStream.fromBinary(data: Data([1]), offset: 5).knownLength == 0)
    }

    @Test func pulledStreamsCloseTheirSourceOnce() throws {
        nonisolated(unsafe) var parts: [[UInt8]] = [[1], [], [2, 3]]
        nonisolated(unsafe) var closed = 0
        let stream = ByteStream(
            source: { parts.isEmpty ? nil : parts.removeFirst() }, onClose: { closed += 1 })
        #expect(try stream.readAndClose() == Data([1, 2, 3]))
        try stream.close()
        #expect(closed == 1)
    }

    @Test func charactersAreReadByLineAndLength() throws {
        let stream = CharStream.fromString("ab\ncd\n\nef")
        #expect(try stream.readChar() == "a")
        #expect(try stream.readLine() == "b")
        #expect(try stream.readLine() == "cd")
        #expect(try stream.readLine() == "")
        #expect(try stream.readString(10) == "ef")
        #expect(try stream.readLine() == nil)
    }
}
