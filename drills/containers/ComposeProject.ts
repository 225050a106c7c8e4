/** Runs the services of a Compose project with plain Podman, in the order and under the conditions of its files. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { parseEnv } from "node:util"
import { atEndOfProcess } from "../kit/postgres/index.ts"
import { type ComposeFile, readComposeFiles, type Service, type Subnet } from "./ComposeFile.ts"
import { podman, run, succeeds } from "./Podman.ts"
import { containerName, type Place, podmanArguments } from "./podmanArguments.ts"

export class ComposeProject {
  private readonly place: Place
  private readonly file: ComposeFile

  private constructor(place: Place, file: ComposeFile) {
    this.place = place
    this.file = file
  }

  /** The project of a folder, with the variables of its `.env`. */
  static async open(folder: string): Promise<ComposeProject> {
    const variables = parseEnv(await readFile(join(folder, ".env"), "utf8")) as Record<string, string>
    const project = variables.COMPOSE_PROJECT_NAME ?? "postcode-gateway"
    return new ComposeProject({ folder, project }, readComposeFiles(folder, variables))
  }

  /** Starts all services without a profile. */
  async up(): Promise<void> {
    const { gateway, ip_range, subnet } = this.file.networks.gateway.ipam.config[0] as Subnet
    const network = [`--subnet=${subnet}`, `--gateway=${gateway}`, `--ip-range=${ip_range}`]
    await podman("network", "create", ...network, `${this.place.project}_gateway`)
    for (const [name, service] of this.services()) {
      await this.meet(service)
      await this.start(name)
    }
    for (const [name, { healthcheck }] of this.services()) if (healthcheck) await this.untilHealthy(name)
  }

  async start(name: string): Promise<void> {
    const service = this.file.services[name]
    if (service === undefined) throw new Error(`compose.yaml has no service ${name}`)
    await podman("run", "--detach", "--pull=never", ...podmanArguments(name, service, this.place))
  }

  /** Replaces the container of a service, and waits for the new one. */
  async recreate(name: string): Promise<void> {
    await podman("stop", this.container(name))
    await podman("rm", this.container(name))
    await this.start(name)
    await this.untilHealthy(name)
  }

  async untilHealthy(name: string): Promise<void> {
    const end_ms = performance.now() + longestStart_ms
    while (!(await succeeds("healthcheck", "run", this.container(name)))) {
      if (performance.now() > end_ms) throw new Error(`${name} is not healthy:\n${await this.logs(name)}`)
      await setTimeout(100)
    }
  }

  /** Runs a program in the container of a service. */
  exec(name: string, ...command: ReadonlyArray<string>): Promise<string> {
    return podman("exec", this.container(name), ...command)
  }

  /** The process id of a container's first process. */
  async pid(name: string): Promise<number> {
    return Number(await podman("inspect", "--format={{.State.Pid}}", this.container(name)))
  }

  /** Removes what this or an earlier run started. */
  async down(): Promise<void> {
    await run("sh", "-c", cleanUp, "sh", this.place.project)
  }

  /** Does so as well if this process is killed. Returns what ends the watch. */
  downAtEnd(): () => void {
    return atEndOfProcess(cleanUp, this.place.project)
  }

  private services(): ReadonlyArray<readonly [name: string, service: Service]> {
    return Object.entries(this.file.services).filter(([, { profiles }]) => profiles === undefined)
  }

  private async meet({ depends_on = {} }: Service): Promise<void> {
    for (const [name, { condition }] of Object.entries(depends_on)) {
      if (condition === "service_healthy") await this.untilHealthy(name)
      else if ((await podman("wait", this.container(name))) !== "0") {
        throw new Error(`${name} failed:\n${await this.logs(name)}`)
      }
    }
  }

  private logs(name: string): Promise<string> {
    return podman("logs", "--tail=20", this.container(name))
  }

  private container(name: string): string {
    return containerName(name, this.place)
  }
}

const cleanUp = `
podman ps --all --quiet --filter="name=^$1-" | xargs --no-run-if-empty podman rm --force --time=5 --volumes
podman volume rm --force "$1_database"
podman network rm --force "$1_gateway"
true
`

const longestStart_ms = 120_000
