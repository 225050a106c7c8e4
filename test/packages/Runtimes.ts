/** Programs of runtimes other than Node, from the packages of npm for this platform. */
import { createRequire } from "node:module"
import { join } from "node:path"
import { root } from "../../scripts/workspace.mjs"

const { arch, platform } = process
const workspace = createRequire(join(root, "package.json"))

/** Resolved from the runtime's package, which alone depends on those for the platforms. */
const programOf = (runtime: string, file: string): string =>
  createRequire(workspace.resolve(`${runtime}/package.json`)).resolve(file)

const bun = (): string => programOf("bun", `@oven/bun-${platform}-${arch === "arm64" ? "aarch64" : arch}/bin/bun`)
const deno = (): string => programOf("deno", `@deno/${platform}-${arch}${platform === "linux" ? "-glibc" : ""}/deno`)
export const workerd = (): string =>
  programOf("workerd", `@cloudflare/workerd-${platform}-${arch === "x64" ? "64" : arch}/bin/workerd`)

/** A runtime with the interface of Node: how it runs a program, and how it serves a function from `Request` to `Response`. */
export interface NodeLike {
  readonly name: string
  readonly command: ReadonlyArray<string>
  /** A word of its example in docs/embedding.md. */
  readonly server: string
  /** Whether it has Argon2id. */
  readonly hasPasswords: boolean
}

export const nodeLike: ReadonlyArray<NodeLike> = [
  { name: "Bun", command: [bun(), "run"], server: "Bun.serve", hasPasswords: true },
  { name: "Deno", command: [deno(), "run", "--allow-all"], server: "Deno.serve", hasPasswords: false }
]
