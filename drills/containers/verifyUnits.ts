/** The unit files of `deploy`, checked by systemd's own program. */
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { run } from "./Podman.ts"
import { root } from "./root.ts"

/**
 * Returns the names of the units.
 *
 * @throws Error with what `systemd-analyze verify` reports
 */
export const verifyUnits = async (): Promise<ReadonlyArray<string>> => {
  const deploy = join(root, "deploy")
  const units = (await readdir(deploy)).filter((name) => name.endsWith(".service"))
  // A machine with the units of the system, and with the command where the units expect it.
  const machine = await mkdtemp(join(tmpdir(), "postcode-units-"))
  try {
    await cp("/lib/systemd/system", join(machine, "lib/systemd/system"), { recursive: true, verbatimSymlinks: true })
    await mkdir(join(machine, "usr/bin"), { recursive: true })
    await writeFile(join(machine, "usr/bin/postcode"), "#!/bin/sh\n", { mode: 0o755 })
    await mkdir(join(machine, "etc/systemd/system"), { recursive: true })
    for (const name of units) {
      await cp(join(deploy, name), join(machine, "etc/systemd/system", name))
      await run("systemd-analyze", "verify", "--recursive-errors=no", `--root=${machine}`, name.replace("@.", "@3101."))
    }
    return units
  } finally {
    await rm(machine, { recursive: true })
  }
}
