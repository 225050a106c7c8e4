import type { ComponentChildren } from "preact"
import { useEffect, useRef } from "preact/hooks"
import { useIsNarrow } from "../hooks/useIsNarrow.ts"
import { Badge } from "../kit/data/Badge.tsx"
import { Button } from "../kit/forms/Button.tsx"
import { path } from "../router/address.ts"
import { environment, environmentNames } from "../state/environment.ts"
import { organizationId } from "../state/organization.ts"
import { Brand } from "./Brand.tsx"
import { openPalette } from "./palette.tsx"
import { Side } from "./Side.tsx"

/** The frame of the screens: the navigation is beside them, or in a menu if the page is narrow. */
export const Frame = ({ children }: { readonly children: ComponentChildren }) => {
  const main = useRef<HTMLElement>(null)
  const side = useRef<HTMLElement>(null)
  const isNarrow = useIsNarrow()
  const place = path.value
  // Navigation closes the menu.
  useEffect(() => {
    if (side.current?.matches(":popover-open")) side.current.hidePopover()
  }, [place])
  return (
    <>
      <header class="bar">
        <button type="button" class="skip" onClick={() => main.current?.focus()}>
          Skip to the content
        </button>
        <Brand />
        {organizationId.value !== undefined && <SelectedEnvironment />}
        <Button kind="quiet" icon="search" label="Go to" onClick={openPalette} />
        <Button kind="quiet" icon="menu" label="Navigation" onClick={() => side.current?.showPopover()} />
      </header>
      <div class="frame">
        <aside ref={side} class="side" popover={isNarrow ? "auto" : undefined} aria-label="Navigation">
          <Side />
        </aside>
        <main ref={main} tabIndex={-1}>
          {children}
        </main>
      </div>
    </>
  )
}

/** The selected environment, while the navigation is hidden. */
const SelectedEnvironment = () => (
  <Badge tone={environment.value === "test" ? "warning" : "good"}>{environmentNames[environment.value]}</Badge>
)
