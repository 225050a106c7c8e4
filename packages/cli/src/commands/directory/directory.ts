import { Command } from "effect/cli"
import { lazily } from "../../Lazy.ts"
import { connection, json } from "../CommonFlags.ts"

export const directory = Command.make("directory", { ...connection, json }, (input) =>
  lazily(
    () => import("./showDirectory.ts"),
    ({ showDirectory }) => showDirectory(input)
  )
).pipe(Command.withDescription("Show the current directory and its size"))
