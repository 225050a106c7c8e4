/** What `podman run` needs to start a service as the Compose file describes it. */
import { resolve } from "node:path"
import type { Service } from "./ComposeFile.ts"

export interface Place {
  /** Relative paths begin here. */
  readonly folder: string
  /** The name of the project, with which those of its containers, volumes and networks begin. */
  readonly project: string
}

/** @throws Error on an option that is not known here */
export const podmanArguments = (
  name: string,
  { command, entrypoint, image, ...options }: Service,
  place: Place
): ReadonlyArray<string> => {
  const [program, ...rest] = (entrypoint as ReadonlyArray<string> | undefined) ?? []
  return [
    `--name=${containerName(name, place)}`,
    ...Object.entries(options).flatMap(([option, value]) => {
      const translate = translations[option]
      if (translate === undefined) throw new Error(`compose.yaml: ${option} of ${name} is not known to this program`)
      return translate(value as never, place, name)
    }),
    ...(program === undefined ? [] : [`--entrypoint=${program}`]),
    image,
    ...rest,
    ...((command as ReadonlyArray<string> | undefined) ?? [])
  ]
}

/** As Compose names the containers of a project. */
export const containerName = (service: string, { project }: Place): string => `${project}-${service}-1`

type Translate = (value: never, place: Place, name: string) => ReadonlyArray<string>

const translations: Readonly<Record<string, Translate>> = {
  build: () => [],
  depends_on: () => [],
  // Without it, Podman mounts folders that can be written to beside those of the file.
  read_only: () => ["--read-only", "--read-only-tmpfs=false"],
  user: (user: string) => [`--user=${user}`],
  restart: (policy: string) => [`--restart=${policy}`],
  stop_grace_period: (time: string) => [`--stop-timeout=${Number.parseInt(time, 10)}`],
  tmpfs: (paths: ReadonlyArray<string>) => paths.map((path) => `--tmpfs=${path}`),
  cap_drop: (all: ReadonlyArray<string>) => all.map((capability) => `--cap-drop=${capability}`),
  security_opt: (all: ReadonlyArray<string>) => all.map((option) => `--security-opt=${option}`),
  ports: (ports: ReadonlyArray<string>) => ports.map((port) => `--publish=${port}`),
  environment: (variables: Readonly<Record<string, unknown>>) =>
    Object.entries(variables).map(([name, value]) => `--env=${name}=${value}`),
  volumes: (volumes: ReadonlyArray<string>, { folder, project }) =>
    volumes.map((volume) => {
      const [source = "", ...rest] = volume.split(":")
      const from = source.startsWith(".") ? resolve(folder, source) : `${project}_${source}`
      return `--volume=${[from, ...rest].join(":")}`
    }),
  networks: (networks: NonNullable<Service["networks"]>, { project }, name) => {
    const address = "gateway" in networks ? [`ip=${networks.gateway?.ipv4_address}`] : []
    return [`--network=${project}_gateway:${[`alias=${name}`, ...address].join(",")}`]
  },
  healthcheck: ({ interval, retries, start_period = "0s", test: [, ...test], timeout }: HealthCheck) => [
    `--health-cmd=${JSON.stringify(test)}`,
    `--health-interval=${interval}`,
    `--health-timeout=${timeout}`,
    `--health-retries=${retries}`,
    `--health-start-period=${start_period}`
  ]
}

interface HealthCheck {
  /** Begins with CMD. */
  readonly test: ReadonlyArray<string>
  readonly interval: string
  readonly timeout: string
  readonly retries: number
  readonly start_period?: string
}
