/** Three nodes of PostgreSQL with Patroni and etcd, and HAProxy, from the files in `deploy/failover`. */
import { execFile } from "node:child_process"
import { randomBytes } from "node:crypto"
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { connectToAddress } from "../kit/postgres/index.ts"
import { until } from "../kit/until.ts"
import type { Machine } from "./Machine.ts"
import { Node } from "./Node.ts"

const run = promisify(execFile)
const deploy = fileURLToPath(new URL("../../deploy", import.meta.url))

export class Cluster {
  readonly nodes: ReadonlyArray<Node>
  private readonly proxy: Machine
  private readonly passwords = { superuser: password(), replication: password(), service: password() }

  constructor(machines: ReadonlyArray<Machine>) {
    this.nodes = machines.slice(0, -1).map((machine) => new Node(machine))
    this.proxy = machines.at(-1) as Machine
  }

  /** The address of the service's database, through HAProxy. */
  get url(): string {
    return `postgresql://postcode:${this.passwords.service}@${this.proxy.address}:5432/postcode`
  }

  async start(): Promise<void> {
    for (const { machine } of this.nodes) {
      await machine.makeFolders(["var/lib/etcd", "var/lib/postgresql/15", "var/run/postgresql"])
      await this.writeFiles(machine, ["etcd.env", "patroni.env", "patroni.yml"])
    }
    await this.proxy.makeFolders(["."])
    await this.writeFiles(this.proxy, ["haproxy.cfg"])
    for (const node of this.nodes) await node.startEtcd()
    for (const node of this.nodes) await node.startPatroni()
    this.proxy.start("haproxy", ["-db", "-f", "haproxy.cfg"])
    await this.untilHealthy()
    await this.createDatabase()
  }

  /** Connects to the primary as the superuser, to the service's database. */
  connect(): ReturnType<typeof connectToAddress> {
    return connectToAddress(this.superuserUrl("postcode"))
  }

  /** The primary, as Patroni answers HAProxy; undefined if there is none now. */
  async primary(): Promise<Node | undefined> {
    const answers = await Promise.all(this.nodes.map((node) => node.isPrimary()))
    return this.nodes[answers.indexOf(true)]
  }

  /** Waits until a node other than this one is the primary. */
  async untilReplaced(former: Node): Promise<void> {
    await until("a new primary", async () => {
      const primary = await this.primary()
      return primary !== undefined && primary !== former
    })
  }

  /** Waits until there is a primary, and two standbys that follow it, one of them synchronous. */
  async untilHealthy(): Promise<Node> {
    let primary: Node | undefined
    await until("a primary with two standbys", async () => {
      primary = await this.primary()
      const roles = (await primary?.standbys()) ?? []
      return roles.length === this.nodes.length - 1 && roles.includes("sync_standby")
    })
    return primary as Node
  }

  /** Promotes a synchronous standby by hand, and again if Patroni refuses, as an operator would. */
  async switchOver(from: Node): Promise<void> {
    const { folder } = from.machine
    const args = ["-c", join(folder, "patroni.yml"), "switchover", "postcode", "--leader", from.machine.name, "--force"]
    const env = { ...process.env, LC_ALL: "C.UTF-8", ...(await from.env("patroni.env")) }
    await until("a promotion by hand", async () => {
      // It fails if an earlier call, which got no answer, had promoted after all.
      await run("patronictl", args, { env }).catch(() => {})
      return (await this.primary()) !== from
    })
  }

  private superuserUrl(database: string): string {
    return `postgresql://postgres:${this.passwords.superuser}@${this.proxy.address}:5432/${database}`
  }

  private async writeFiles({ address, folder, name }: Machine, files: ReadonlyArray<string>): Promise<void> {
    for (const file of files) {
      const text = (await readFile(join(deploy, "failover", file), "utf8"))
        .replaceAll("NODE_NAME", name)
        .replaceAll("NODE_ADDRESS", address)
        .replaceAll("FIRST_SECRET", this.passwords.superuser)
        .replaceAll("SECOND_SECRET", this.passwords.replication)
        // The files of three nodes on one machine.
        .replaceAll("/var/", `${folder}/var/`)
      await writeFile(join(folder, file), text)
    }
  }

  private async createDatabase(): Promise<void> {
    const args = [this.superuserUrl("postgres"), "-v", "ON_ERROR_STOP=1", "-f", join(deploy, "database.sql")]
    await run("psql", args, { env: { ...process.env, POSTCODE_DATABASE_PASSWORD: this.passwords.service } })
  }
}

const password = () => randomBytes(16).toString("hex")
