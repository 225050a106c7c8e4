// Every published package as others get it: looked at as a tarball, and used where npm installed it. All of it is on one
// packing and one installation, which are most of the time that it takes.
import { join } from "node:path"
import { afterAll, beforeAll } from "vitest"
import { type DemonstrationService, ownEnvironment, startService } from "./documents/DemonstrationService.ts"
import { alone } from "./packages/alone.ts"
import { type InstalledPackages, installPackages } from "./packages/InstalledPackages.ts"
import { inChromium } from "./packages/inChromium.ts"
import { onNode } from "./packages/onNode.ts"
import { onRuntimes } from "./packages/onRuntimes.ts"
import { sizes } from "./packages/sizes.ts"
import { tarballs } from "./packages/tarballs.ts"
import { types } from "./packages/types.ts"

let installed: InstalledPackages
let service: DemonstrationService

beforeAll(async () => {
  installed = await installPackages()
  service = await startService([join(installed.folder, "node_modules", ".bin", "postcode")], ownEnvironment())
}, 300_000)

afterAll(async () => {
  await service?.stop()
  await installed?.remove()
})

tarballs(() => installed)
types(() => installed)
alone(() => installed)
sizes(() => installed)
onNode(() => ({ installed, service }))
onRuntimes(() => ({ installed, service }))
inChromium(() => ({ installed, service }))
