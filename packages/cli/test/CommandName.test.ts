import { commandName } from "@postcode/server/process/CommandName"
import { expect, it } from "vitest"

it.for([
  { where: "installed", env: {}, name: "postcode" },
  { where: "in a checkout", env: { npm_package_name: "postcode-gateway" }, name: "npm run -s postcode --" },
  { where: "under npx", env: { npm_package_name: "shop", npm_command: "exec" }, name: "npx postcode" },
  {
    where: "in a script of somebody else's package",
    env: { npm_package_name: "shop", npm_command: "run" },
    name: "postcode"
  }
])("hints write the command as $name $where", ({ env, name }) => {
  expect(commandName(env)).toBe(name)
})
