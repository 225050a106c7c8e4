/** Inspects a Node process from outside through its debugger: not for production. */
import { once } from "node:events"
import { readdirSync, writeFileSync } from "node:fs"
import { statusField } from "../process/statusField.ts"

/** The resources of a process after a garbage collection. */
export interface Holding {
  /** Objects, and their typed arrays. */
  readonly heap_bytes: number
  /** The resident memory. */
  readonly resident_bytes: number
  /** Open files and connections. */
  readonly descriptors: number
  /** Handles of the event loop: timers, connections, requests in flight. */
  readonly resources: number
}

export class ProcessProbe {
  private readonly pid: number
  private readonly socket: WebSocket
  private readonly waiting = new Map<number, (result: DebuggerAnswer) => void>()
  private calls = 0

  private constructor(pid: number, socket: WebSocket) {
    this.pid = pid
    this.socket = socket
    socket.addEventListener("message", ({ data }) => {
      const answer: DebuggerAnswer = JSON.parse(`${data}`)
      this.waiting.get(answer.id)?.(answer)
      this.waiting.delete(answer.id)
    })
    socket.addEventListener("close", () => {
      for (const [id, answered] of this.waiting) answered({ id, error: { message: "the process has ended" } })
      this.waiting.clear()
    })
  }

  /** @param port the process's debugger port: it was started with `--inspect=127.0.0.1:<port>` */
  static async open(pid: number, port: number): Promise<ProcessProbe> {
    const response = await fetch(`http://127.0.0.1:${port}/json/list`)
    const [target] = (await response.json()) as ReadonlyArray<{ readonly webSocketDebuggerUrl: string }>
    if (target === undefined) throw new Error(`nothing can be debugged at port ${port}`)
    const socket = new WebSocket(target.webSocketDebuggerUrl)
    await once(socket, "open")
    return new ProcessProbe(pid, socket)
  }

  /** Collects all garbage, then samples. */
  async look(): Promise<Holding> {
    await this.call("HeapProfiler.collectGarbage")
    const { backingStorageSize = 0, usedSize } = await this.call<HeapUsage>("Runtime.getHeapUsage")
    const expression = "process.getActiveResourcesInfo().length"
    const { result } = await this.call<{ readonly result: { readonly value: number } }>("Runtime.evaluate", {
      expression
    })
    return {
      heap_bytes: usedSize + backingStorageSize,
      resident_bytes: statusField(this.pid, "VmRSS"),
      descriptors: readdirSync(`/proc/${this.pid}/fd`).length,
      resources: result.value
    }
  }

  /** Resets the peak. */
  forgetPeak(): void {
    writeFileSync(`/proc/${this.pid}/clear_refs`, "5")
  }

  /** The peak of the resident memory since its reset. */
  peak_bytes(): number {
    return statusField(this.pid, "VmHWM")
  }

  close(): void {
    this.socket.close()
  }

  private call<A = object>(method: string, params: object = {}): Promise<A> {
    const id = ++this.calls
    return new Promise((resolve, reject) => {
      this.waiting.set(id, ({ error, result }) => {
        if (error === undefined) resolve(result as A)
        else reject(new Error(`${method}: ${error.message}`))
      })
      this.socket.send(JSON.stringify({ id, method, params }))
    })
  }
}

interface DebuggerAnswer {
  readonly id: number
  readonly result?: unknown
  readonly error?: { readonly message: string }
}

interface HeapUsage {
  readonly usedSize: number
  /** Of typed arrays; V8 of Node 22 does not report it. */
  readonly backingStorageSize?: number
}
