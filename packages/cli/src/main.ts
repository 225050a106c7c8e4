#!/usr/bin/env node
import { ignoreClosedPipe } from "./Output.ts"
import { runPostcode } from "./PostcodeCommand.ts"
import { runMain } from "./RunMain.ts"

ignoreClosedPipe()
runMain(runPostcode(process.argv.slice(2)))
