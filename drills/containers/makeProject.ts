/** A folder as a machine has it that runs the service with Compose: the files of the project, secrets and a certificate. */
import { chown, cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { operatorToken } from "@postcode/conformance/wire"
import { freePort } from "../kit/postgres/index.ts"
import { run } from "./Podman.ts"
import { root } from "./root.ts"

export interface ProjectFolder extends AsyncDisposable {
  readonly path: string
  /** The ports of nginx on 127.0.0.1. */
  readonly http: number
  readonly https: number
}

export const makeProject = async (): Promise<ProjectFolder> => {
  const path = await mkdtemp(join(tmpdir(), "postcode-containers-"))
  await cp(join(root, "deploy"), path, { recursive: true })
  const [http, https] = [await freePort(), await freePort()]
  await writeFile(join(path, ".env"), `${variables(http, https).join("\n")}\n`, { mode: 0o600 })
  await writeFile(join(path, "load.yaml"), load)
  await makeCertificate(join(path, "tls"))
  return { path, http, https, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) }
}

const variables = (http: number, https: number): ReadonlyArray<string> => [
  "COMPOSE_PROJECT_NAME=postcode-containers",
  "COMPOSE_FILE=compose.yaml:compose.tls.yaml:load.yaml",
  "POSTGRES_PASSWORD=superuser",
  "POSTCODE_DATABASE_PASSWORD=service",
  `POSTCODE_OPERATOR_TOKEN=${operatorToken}`,
  "POSTCODE_IDENTIFIER_PEPPER=a-pepper-for-containers-and-nothing-else",
  "POSTCODE_SESSION_KEYS=first:a-signing-key-for-containers-and-nothing-else",
  `POSTCODE_PUBLIC_URL=https://localhost:${https}`,
  `POSTCODE_PORT=${http}`,
  `POSTCODE_TLS_PORT=127.0.0.1:${https}`
]

/** One key for all clients of the program. */
const load = `
services:
  gateway-1: &limits
    environment:
      POSTCODE_KEY_RATE_LIMIT: 1000000
  gateway-2: *limits
`

/** The user of nginx must be able to read the key. */
const makeCertificate = async (folder: string): Promise<void> => {
  const [key, certificate] = [join(folder, "tls.key"), join(folder, "tls.crt")]
  await mkdir(folder, { recursive: true })
  const names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
  await run("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", ...names, "-keyout", key, "-out", certificate)
  await chown(key, nginxUser, nginxUser)
}

const nginxUser = 101
