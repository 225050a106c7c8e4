/** Those commands of `docker compose` that `replace.sh` uses, with Podman: `build` and `up` of one service. */
import { ComposeProject } from "./ComposeProject.ts"
import { buildService } from "./makeImages.ts"

const [compose, command, ...args] = process.argv.slice(2)
const options = args.filter((arg) => arg.startsWith("--"))
const [name = "", ...others] = args.filter((arg) => !arg.startsWith("--"))
const usage = [compose, command, ...options.toSorted()].join(" ")
if (others.length > 0) throw new Error(`docker ${usage}: expected one service`)

if (usage === "compose build") {
  await buildService()
} else if (usage === "compose up --detach --force-recreate --no-build --no-deps --wait") {
  const project = await ComposeProject.open(process.cwd())
  await project.recreate(name)
} else {
  throw new Error(`docker ${usage}: not known to this program`)
}
