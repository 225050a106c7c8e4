/** The command outside of the workspace, as npm installs it: without PostgreSQL's programs beside it. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { cp } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { bareEnvironment } from "./StartCommand.ts"
import { temporaryFolder } from "./TemporaryFolder.ts"

export interface InstalledCommand extends AsyncDisposable {
  readonly start: (
    args: ReadonlyArray<string>,
    env?: Readonly<Record<string, string>>
  ) => ChildProcessWithoutNullStreams
}

export const installCommand = async (): Promise<InstalledCommand> => {
  const folder = await temporaryFolder()
  const source = fileURLToPath(new URL("../../packages/cli", import.meta.url))
  for (const name of ["package.json", "dist"]) {
    await cp(join(source, name), join(folder.path, name), { recursive: true })
  }
  return {
    start: (args, env = {}) =>
      spawn(process.execPath, [join(folder.path, "dist", "main.js"), ...args], {
        env: { ...bareEnvironment(), ...env }
      }),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]()
  }
}
