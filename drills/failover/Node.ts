/** One node of the cluster: etcd, Patroni and the PostgreSQL that Patroni starts. */
import type { ChildProcess } from "node:child_process"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import type { Machine } from "./Machine.ts"

export class Node {
  readonly machine: Machine
  private patroni: ChildProcess | undefined

  constructor(machine: Machine) {
    this.machine = machine
  }

  async startEtcd(): Promise<void> {
    this.machine.start("etcd", [], await this.env("etcd.env"))
  }

  async startPatroni(): Promise<void> {
    this.patroni = this.machine.start("patroni", ["patroni.yml"], await this.env("patroni.env"))
  }

  killPatroni(): void {
    this.patroni?.kill("SIGKILL")
  }

  async killPostgres(): Promise<void> {
    const file = join(this.machine.folder, "var/lib/postgresql/15/postcode/postmaster.pid")
    const [pid] = (await readFile(file, "utf8")).split("\n")
    process.kill(Number(pid), "SIGKILL")
  }

  async isPrimary(): Promise<boolean> {
    return (await this.fetch("/primary"))?.ok ?? false
  }

  /** The roles of the standbys that follow, as a primary reports them: `sync_standby`, `replica`. */
  async standbys(): Promise<ReadonlyArray<string>> {
    const answer = await this.fetch("/cluster")
    const { members } = ((await answer?.json()) ?? { members: [] }) as { members: ReadonlyArray<Member> }
    return members
      .filter(({ role, state }) => role !== "leader" && (state === "running" || state === "streaming"))
      .map(({ role }) => role)
  }

  /** The lines of a file such as `NAME=value`. */
  async env(file: string): Promise<Readonly<Record<string, string>>> {
    const text = await readFile(join(this.machine.folder, file), "utf8")
    return Object.fromEntries(Array.from(text.matchAll(/^(\w+)=(.*)$/gm), ([, name, value]) => [name, value]))
  }

  private async fetch(path: string): Promise<Response | undefined> {
    try {
      return await fetch(`http://${this.machine.address}:8008${path}`, { signal: AbortSignal.timeout(1_000) })
    } catch {
      return undefined
    }
  }
}

interface Member {
  readonly role: string
  readonly state: string
}
