/** The resident memory of replicas, sampled each second from Linux's /proc. */
import { readFileSync } from "node:fs"
import type { Replica } from "../kit/Replica.ts"
import type { MemoryReport } from "./LivingOptions.ts"

export class ReplicaMemory {
  private readonly replicas: ReadonlyArray<Replica>
  private readonly samples_mb: ReadonlyArray<Array<number>>
  private readonly timer: NodeJS.Timeout

  constructor(replicas: ReadonlyArray<Replica>) {
    this.replicas = replicas
    this.samples_mb = replicas.map(() => [])
    this.timer = setInterval(() => this.sample(), 1_000)
    this.sample()
  }

  /** The newest sample of each replica. */
  get latest_mb(): ReadonlyArray<number> {
    return this.samples_mb.map((own_mb) => own_mb.at(-1) ?? 0)
  }

  stop(): ReadonlyArray<MemoryReport> {
    clearInterval(this.timer)
    this.sample()
    return this.samples_mb.map((own_mb, replica) => ({
      replica,
      start_mb: own_mb[0] ?? 0,
      peak_mb: Math.max(...own_mb),
      end_mb: own_mb.at(-1) ?? 0,
      series_mb: own_mb.filter((_, second) => second % 10 === 0)
    }))
  }

  private sample(): void {
    for (const [at, { pid }] of this.replicas.entries()) this.samples_mb[at]?.push(resident_mb(pid))
  }
}

/** 0 where the process does not run, or the system has no /proc. */
const resident_mb = (pid: number): number => {
  try {
    const [, kib = 0] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "latin1")) ?? []
    return Math.round(Number(kib) / 1024)
  } catch {
    return 0
  }
}
