#!/usr/bin/env node
import { endQuietlyWithoutReader } from "./Output.ts"
import { runPostcode } from "./PostcodeCommand.ts"
import { runMain } from "./RunMain.ts"

endQuietlyWithoutReader()
runMain(runPostcode(process.argv.slice(2)))
