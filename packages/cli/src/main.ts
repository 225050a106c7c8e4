#!/usr/bin/env node
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer } from "effect"
import { CliConfig, CliOutput, Command, GlobalFlag } from "effect/cli"
import { endQuietlyWithoutReader } from "./Output.ts"
import { postcode } from "./PostcodeCommand.ts"
import { runMain } from "./RunMain.ts"
import { presenter } from "./Usage.ts"
import { version } from "./Version.ts"

endQuietlyWithoutReader()
runMain(
  Command.run(postcode, { version }).pipe(
    Effect.provide(
      Layer.mergeAll(
        NodeServices.layer,
        CliOutput.layerPresenter(presenter),
        CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions] })
      )
    )
  )
)
