import { commandsOf } from "../ManagementCommand.ts"

const command = commandsOf(() => import("./showDirectory.ts"))

export const directory = command(
  "directory",
  "Show the current directory and its size",
  {},
  ({ showDirectory }) => showDirectory
)
