/** `postcode lookup`. */
import { Command } from "effect/cli"
import { flag, textArgument } from "../../Parameters.ts"
import { accessLevel, json, keyConnection } from "../CommonFlags.ts"
import { commandsOf } from "../commandsOf.ts"

export const lookup = commandsOf(() => import("./lookUpCode.ts"))(
  "lookup",
  "Look a postcode up by a service: level 1 is free and shows whether it exists\n" +
    "  Levels 2 to 5 need a secret API key and cost credits. postcode login stores a key, and POSTCODE_KEY holds another one.\n" +
    "  The command reports on standard error how many credits were charged and how many are left. It fails if the directory\n" +
    "  does not have the postcode.",
  {
    code: textArgument("CODE", "A postcode in any format"),
    level: flag("level", {
      read: accessLevel,
      metavar: "N",
      description: "1 to 5: 2 adds addresses, 3 the use, 4 the building, 5 coordinates; default: 1",
      fallback: 1
    }),
    ...keyConnection,
    json
  },
  ({ lookUpCode }) => lookUpCode
).pipe(
  Command.withShortDescription("Look a postcode up by a service"),
  Command.withExamples([
    { command: "postcode lookup LA11B03PD01" },
    { command: "postcode lookup LA11B03PD01 --level 4" }
  ])
)
