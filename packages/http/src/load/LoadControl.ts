/**
 * Load control: under overload, the service still serves as many requests as it can, in time, and refuses the others.
 *
 * Each request is in one of four queues. Each queue has a concurrency limit and a share of every event-loop tick, so
 * none takes the capacity of another. A request starts at once while its queue has capacity. Otherwise it waits for a
 * later tick, and is refused at its deadline.
 */
import { type EventLoop, type QueueSettings, type QueueState, RequestQueue } from "./RequestQueue.ts"

/** The classes of requests. Each has its own queue. */
export const queueNames = ["free", "paid", "management", "sign_in"] as const
/** The class of a request. */
export type QueueName = (typeof queueNames)[number]

/** The state of every queue. */
export type LoadState = Readonly<Record<QueueName, QueueState>>

export class LoadControl {
  readonly queues: Readonly<Record<QueueName, RequestQueue>>

  /** @param settings overrides the default settings of a queue */
  constructor(loop: EventLoop = nodeEventLoop, settings: Partial<Readonly<Record<QueueName, QueueSettings>>> = {}) {
    this.queues = byQueue((name) => new RequestQueue(settings[name] ?? defaults[name], loop))
  }

  get state(): LoadState {
    return byQueue((name) => this.queues[name].state)
  }
}

const byQueue = <A>(make: (name: QueueName) => A): Record<QueueName, A> =>
  Object.fromEntries(queueNames.map((name) => [name, make(name)])) as Record<QueueName, A>

const defaults: Readonly<Record<QueueName, QueueSettings>> = {
  free: { limit: 1_024, target_ms: 5, timeout_ms: 1_000 },
  // A group commit writes more charges the more are in flight, so a low limit would cost throughput.
  paid: { limit: 1_024, target_ms: 30, timeout_ms: 1_000 },
  management: { limit: 16, target_ms: 1_000, timeout_ms: 5_000 },
  // More than the 34 password checks that run or wait.
  sign_in: { limit: 40, target_ms: 1_000, timeout_ms: 5_000 }
}

const nodeEventLoop: EventLoop = {
  now_ms: () => performance.now(),
  schedule: (delay_ms, run) => void (delay_ms === 0 ? setImmediate(run) : setTimeout(run, delay_ms))
}
