/**
 * The browser that npm brings, for Linux on x64: Chromium's headless shell in an archive, with the libraries and the
 * fonts that a bare system lacks.
 */
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdtemp, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

/** A browser's program, and what it needs in its environment beside what is there. */
export interface BrowserProgram {
  readonly executablePath: string
  readonly env?: Readonly<Record<string, string>>
}

/** Unpacks it at the first use, beside its archive: about 2 s and 230 MB, once for each installation. */
export const packagedBrowser = async (): Promise<BrowserProgram> => {
  if (process.platform !== "linux" || process.arch !== "x64") {
    throw new Error(`npm brings no browser for ${process.platform} on ${process.arch}`)
  }
  const packageFolder = fileURLToPath(new URL("..", import.meta.resolve("@sparticuz/chromium")))
  const folder = join(packageFolder, "unpacked-with-graphics")
  if (!existsSync(folder)) await unpackInto(folder, packageFolder)
  return {
    executablePath: join(folder, "chromium"),
    env: { LD_LIBRARY_PATH: join(folder, "al2023", "lib"), FONTCONFIG_PATH: join(folder, "fonts") }
  }
}

/** Several processes may do it at once: each does it apart, and the first one that is done gives it its name. */
const unpackInto = async (folder: string, packageFolder: string): Promise<void> => {
  const own = await mkdtemp(`${folder}-`)
  try {
    // The package unpacks into the folder for temporary files and nowhere else, so that has to be another one for it.
    const script = fileURLToPath(new URL("unpackBrowser.ts", import.meta.url))
    const env = { ...process.env, TMPDIR: own }
    await promisify(execFile)(process.execPath, [script, join(packageFolder, "bin")], { env })
    await writeFile(join(own, "fonts", "fonts.conf"), fontSettings)
    await rename(own, folder)
  } catch (error) {
    await rm(own, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
}

/** The settings that come with the fonts look for them in `/tmp`. */
const fontSettings = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">.</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`
