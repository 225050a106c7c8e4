import { ownBookmarksSuite, widgetSettingsSuite } from "@postcode/conformance"
import { Layer } from "effect"
import { layerEndUsers } from "../../src/widget/EndUsers.ts"
import { layerOwnBookmarks } from "../../src/widget/OwnBookmarks.ts"
import { layerWidgetSettings } from "../../src/widget/WidgetSettings.ts"
import { layerMigrated } from "../MigratedDatabase.ts"

const ports = Layer.mergeAll(layerEndUsers, layerOwnBookmarks, layerWidgetSettings)
const store = Layer.provideMerge(ports, layerMigrated)

ownBookmarksSuite("on PostgreSQL", store)
widgetSettingsSuite("on PostgreSQL", store)
