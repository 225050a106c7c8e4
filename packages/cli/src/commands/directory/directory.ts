import { managementCommandsOf } from "../commandsOf.ts"

const command = managementCommandsOf(() => import("./showDirectory.ts"))

export const directory = command(
  "directory",
  "Show the current directory and its size",
  {},
  ({ showDirectory }) => showDirectory
)
