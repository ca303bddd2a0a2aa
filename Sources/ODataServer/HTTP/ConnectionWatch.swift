import NIOCore
import NIOHTTP1

/// How long a connection may do nothing.
struct ConnectionTimes: Sendable {
    /// Until the head of a (next) request is there, idle and half-sent ones alike.
    var idle: TimeAmount
    /// Until enough more of a body is there.
    var body: TimeAmount
    /// Until a client takes more of an answer.
    var stall: TimeAmount
}

/// Ends connections on which nothing goes on, and tells when a client leaves. Confined to the channel's event loop.
final class ConnectionWatch: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let times: ConnectionTimes
    private let connections: ConnectionList
    /// Ends the connection when its requests are answered.
    struct Drain: Sendable {}

    private var isDraining = false
    private var unanswered = 0
    private var isReceiving = false
    private var isReading = false
    private var isUnwritable = false
    /// When the connection is over if nothing more happens on it.
    private var end = NIODeadline.uptimeNanoseconds(0)
    /// Looks at ``end``, and waits for the rest of it where it comes too early: each request moves the end several times,
    /// and to make a timer costs more than all that is watched.
    private var timer: (task: Scheduled<Void>, at: NIODeadline)?
    private var pace: BodyPace

    init(_ times: ConnectionTimes, _ connections: ConnectionList) {
        self.times = times
        self.connections = connections
        pace = BodyPace(nanoseconds: times.body.nanoseconds)
    }

    func handlerAdded(context: ChannelHandlerContext) { start(context) }

    func handlerRemoved(context: ChannelHandlerContext) { timer?.task.cancel() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        isReading = false
        switch unwrapInboundIn(data) {
        case .head:
            unanswered += 1
            isReceiving = true
            start(context)
        case .body(let part):
            // What still comes after the answer keeps no connection alive.
            if unanswered > 0, pace.isEnough(after: part.readableBytes) { start(context) }
        case .end:
            isReceiving = false
            start(context)
        }
        context.fireChannelRead(data)
    }

    func read(context: ChannelHandlerContext) {
        isReading = true
        context.read()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) {
            unanswered -= 1
            start(context)
            if isDraining, unanswered <= 0 { return writeLast(context, data, promise) }
        }
        context.write(data, promise: promise)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        isUnwritable = !context.channel.isWritable
        start(context)
        context.fireChannelWritabilityChanged()
    }

    /// Writes the end of the last answer, and closes behind it.
    private func writeLast(
        _ context: ChannelHandlerContext, _ data: NIOAny, _ promise: EventLoopPromise<Void>?
    ) {
        let written = promise ?? context.eventLoop.makePromise(of: Void.self)
        let channel = context.channel
        written.futureResult.whenComplete { _ in channel.close(promise: nil) }
        context.write(data, promise: written)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is Drain {
            isDraining = true
            if unanswered <= 0 { context.close(promise: nil) }
            return
        }
        if let event = event as? ChannelEvent, event == .inputClosed {
            connections.inputEnded(context.channel)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.task.cancel()
        connections.left(context.channel)
        context.fireChannelInactive()
    }

    /// Begins to wait for what comes next.
    private func start(_ context: ChannelHandlerContext) {
        pace.begin()
        end = .now() + limit
        if let timer, timer.at <= end { return }
        timer?.task.cancel()
        lookAtEnd(context)
    }

    private func lookAtEnd(_ context: ChannelHandlerContext) {
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        let task = context.eventLoop.scheduleTask(deadline: end) {
            let (watch, context) = bound.value
            watch.timer = nil
            if NIODeadline.now() < watch.end {
                watch.lookAtEnd(context)
            } else if watch.isWaitingForUs {
                watch.start(context)
            } else {
                context.close(promise: nil)
            }
        }
        timer = (task, end)
    }

    private var limit: TimeAmount {
        if unanswered <= 0 { return times.idle }
        return isReceiving ? times.body : times.stall
    }

    /// A body that is not asked for is no fault of the client, nor is an answer that is not made yet.
    private var isWaitingForUs: Bool {
        guard unanswered > 0 else { return false }
        return isReceiving ? !isReading : !isUnwritable
    }
}
