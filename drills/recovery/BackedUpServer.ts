/** A PostgreSQL server with the files of `deploy/pgbackrest`, in a temporary folder, as the user postgres. */
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { chmod, chown, mkdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { atEndOfProcess, connectToAddress, freePort } from "../kit/postgres/index.ts"
import { until } from "../kit/until.ts"

const run = promisify(execFile)
const bin = "/usr/lib/postgresql/15/bin"
const deployed = (name: string): Promise<string> =>
  readFile(fileURLToPath(new URL(`../../deploy/pgbackrest/${name}`, import.meta.url)), "utf8")

export class BackedUpServer {
  readonly port: number
  private readonly folder: string
  private readonly ids: { readonly uid: number; readonly gid: number }
  private process: ChildProcess | undefined

  private constructor(port: number, folder: string, ids: { readonly uid: number; readonly gid: number }) {
    this.port = port
    this.folder = folder
    this.ids = ids
  }

  /** @param folder an empty folder that the user postgres may enter */
  static async create(folder: string): Promise<BackedUpServer> {
    const [uid, gid] = await Promise.all(
      ["-u", "-g"].map(async (flag) => Number((await run("id", [flag, "postgres"])).stdout))
    )
    const server = new BackedUpServer(await freePort(), folder, { uid: uid as number, gid: gid as number })
    for (const name of ["repository", "log", "lock"]) await server.makeFolder(name)
    const configuration = (await deployed("pgbackrest.conf"))
      .replace("BACKUP_SECRET", "a-secret-for-this-run-alone")
      .replace("/var/lib/pgbackrest", join(folder, "repository"))
      .replace("/var/lib/postgresql/15/main", server.data)
      .concat(`pg1-port=${server.port}\npg1-socket-path=${folder}\n`)
      .replace("[global]\n", `[global]\nlog-path=${join(folder, "log")}\nlock-path=${join(folder, "lock")}\n`)
    await writeFile(server.configuration, configuration, { mode: 0o600 })
    await chown(server.configuration, server.ids.uid, server.ids.gid)
    await server.asPostgres(join(bin, "initdb"), ["-D", server.data, "-A", "trust", "-E", "UTF8", "--no-locale"])
    const settings = (await deployed("postgresql.conf")).replace(
      "pgbackrest ",
      `pgbackrest --config=${server.configuration} `
    )
    await writeFile(join(server.data, "postgresql.auto.conf"), settings)
    await server.start()
    await server.backrest("stanza-create")
    const client = await server.connect("postgres")
    await client.query("CREATE DATABASE postcode")
    await client.end()
    return server
  }

  get url(): string {
    return `postgresql://postgres@127.0.0.1:${this.port}/postcode`
  }

  private get data(): string {
    return join(this.folder, "data")
  }

  private get configuration(): string {
    return join(this.folder, "pgbackrest.conf")
  }

  /** Takes a full backup. */
  async backUp(): Promise<void> {
    await this.backrest("backup", "--type=full")
  }

  /** The server and its disk are lost at once. */
  async destroy(): Promise<void> {
    this.process?.kill("SIGKILL")
    await until("the end of PostgreSQL", async () => {
      await rm(this.data, { recursive: true, force: true }).catch(() => {})
      return await run("pgrep", ["-f", `^${bin}/postgres -D ${this.data} `]).then(
        () => false,
        () => true
      )
    })
    await rm(this.data, { recursive: true, force: true })
  }

  /**
   * Restores from the repository, and starts the server, which archives nothing.
   *
   * @param target a time in ISO 8601, or `latest` for the end of the archived log
   */
  async restore(target: string): Promise<void> {
    await this.stop()
    await rm(this.data, { recursive: true, force: true })
    await this.makeFolder("data")
    const flags =
      target === "latest"
        ? []
        : ["--type=time", `--target=${target.replace("T", " ").replace("Z", "+00")}`, "--target-action=promote"]
    await this.backrest("restore", ...flags)
    await this.start("-c", "archive_mode=off")
    await until("the end of the recovery", async () => {
      const client = await this.connect("postgres").catch(() => undefined)
      const { rows } = (await client?.query("SELECT pg_is_in_recovery() AS recovers").catch(() => undefined)) ?? {
        rows: []
      }
      await client?.end()
      return rows[0]?.recovers === false
    })
  }

  async stop(): Promise<void> {
    const child = this.process
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once("close", resolve))
    child.kill("SIGINT")
    await ended
  }

  private connect(database: string) {
    return connectToAddress(`postgresql://postgres@127.0.0.1:${this.port}/${database}`)
  }

  private async start(...settings: ReadonlyArray<string>): Promise<void> {
    const flags = ["-D", this.data, "-p", `${this.port}`, "-c", `unix_socket_directories=${this.folder}`, ...settings]
    const child = spawn(join(bin, "postgres"), flags, { cwd: "/", stdio: "ignore", ...this.ids })
    this.process = child
    child.once("close", atEndOfProcess('kill -QUIT "$1"', `${child.pid}`))
    await until("PostgreSQL", async () => {
      if (child.exitCode !== null) throw new Error(`PostgreSQL ended with ${child.exitCode}`)
      const client = await this.connect("postgres").catch(() => undefined)
      await client?.end()
      return client !== undefined
    })
  }

  private async backrest(command: string, ...flags: ReadonlyArray<string>): Promise<void> {
    await this.asPostgres("pgbackrest", [`--config=${this.configuration}`, "--stanza=postcode", ...flags, command])
  }

  private async asPostgres(program: string, args: ReadonlyArray<string>): Promise<void> {
    await run(program, [...args], { cwd: "/", env: { PATH: process.env.PATH }, ...this.ids })
  }

  private async makeFolder(name: string): Promise<void> {
    await mkdir(join(this.folder, name), { mode: 0o700 })
    await chmod(join(this.folder, name), 0o700)
    await chown(join(this.folder, name), this.ids.uid, this.ids.gid)
  }
}
