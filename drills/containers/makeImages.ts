/** Images that the project's files name, made from Debian's packages where the machine has none of that name. */
import { cp, mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { podman, run, succeeds } from "./Podman.ts"
import { root } from "./root.ts"

/** Makes those that are missing. Pull the real ones before to use them. */
export const makeImages = async (
  names: Iterable<string>,
  progress: (message: string) => void
): Promise<ReadonlyArray<string>> => {
  const made: Array<string> = []
  for (const name of names) {
    if (await succeeds("image", "exists", name)) continue
    if (!(await succeeds("image", "exists", base))) await makeBase(progress)
    progress(`making ${name} from Debian's packages`)
    await makeImage(name)
    made.push(name)
  }
  return made
}

const base = "localhost/postcode-debian"

const makeBase = async (progress: (message: string) => void): Promise<void> => {
  progress("making a base image with debootstrap")
  const folder = await mkdtemp(join(tmpdir(), "postcode-debian-"))
  try {
    const release = /^VERSION_CODENAME=(.*)$/m.exec(await readFile("/etc/os-release", "utf8"))?.[1] ?? "stable"
    // The mirror that apt uses.
    const filters = ["Created-By: Packages", `Codename: ${release}`]
    const mirrors = await run("apt-get", "indextargets", "--format", "$(REPO_URI)", ...filters)
    await run("debootstrap", "--variant=minbase", release, folder, mirrors.split("\n")[0] as string)
    await rm(join(folder, "var/cache/apt/archives"), { recursive: true })
    await run("sh", "-euc", 'tar --create --directory="$0" . | podman import --quiet - "$1"', folder, base)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** The target of the Containerfile has the name of the image without its version. */
const makeImage = async (name: string): Promise<void> => {
  const target = name.replace(/:.*/, "")
  const folder = await mkdtemp(join(tmpdir(), "postcode-image-"))
  try {
    await cp(fileURLToPath(new URL("images", import.meta.url)), folder, { recursive: true })
    if (target === "node") await copyNode(folder)
    await build(folder, `--target=${target}`, `--tag=localhost/${name}`)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** The Node and the npm that run this program, and what the machine trusts. */
const copyNode = async (folder: string): Promise<void> => {
  const npm = process.env.npm_execpath
  if (npm === undefined) throw new Error("Start this program with npm.")
  await cp(process.execPath, join(folder, "node"))
  await cp(dirname(dirname(npm)), join(folder, "npm"), { recursive: true, dereference: true })
  await cp("/etc/ssl/certs/ca-certificates.crt", join(folder, "ca-certificates.crt"))
}

/** Builds the image of the service. */
export const buildService = (...args: ReadonlyArray<string>): Promise<string> =>
  build(root, `--file=${join(root, "deploy", "Dockerfile")}`, "--tag=postcode-gateway", ...args)

/** Builds an image without a registry, in the network of the machine. */
const build = (folder: string, ...args: ReadonlyArray<string>): Promise<string> =>
  podman("build", "--quiet", "--pull=never", "--isolation=chroot", "--network=host", "--format=docker", ...args, folder)
