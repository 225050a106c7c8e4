import { Icon } from "../kit/layout/Icon.tsx"
import { path } from "../router/address.ts"
import type { Entry, Screen } from "../router/Screen.ts"
import { screens } from "../screens.ts"
import { environment, environmentNames } from "../state/environment.ts"
import { organizationId, screenPath } from "../state/organization.ts"
import { may } from "../state/permissions.ts"
import { account } from "../state/session.ts"
import { Brand } from "./Brand.tsx"
import { OrganizationSwitch } from "./OrganizationSwitch.tsx"
import { openPalette, shortcut } from "./palette.tsx"
import { Support } from "./Support.tsx"
import { WaitingReviews } from "./WaitingReviews.tsx"

/** The navigation: organization, environment, and the permitted screens. */
export const Side = () => {
  const { email, name } = account.value ?? { email: "", name: "" }
  return (
    <>
      <Brand />
      <button type="button" class="switch go" aria-keyshortcuts="Control+K Meta+K" onClick={openPalette}>
        <Icon name="search" />
        <span class="name">Go to</span>
        <kbd>{shortcut}</kbd>
      </button>
      {organizationId.value !== undefined && (
        <div class="stack">
          <OrganizationSwitch />
          <EnvironmentSwitch />
        </div>
      )}
      <nav aria-label="Screens">
        {organizationId.value !== undefined && <Group title="Organization" group="organization" />}
        <Group title="Instance" group="instance" />
      </nav>
      <Support />
      <a class="person" href="#/account" aria-current={path.value === "/account" ? "page" : undefined}>
        <Icon name="account" />
        <span>
          {name}
          <small>{email}</small>
        </span>
      </a>
    </>
  )
}

interface Listed extends Screen {
  readonly entry: Entry
}

const Group = ({ group, title }: { readonly group: Entry["group"]; readonly title: string }) => {
  const listed = screens.filter(
    (screen): screen is Listed => screen.entry?.group === group && (screen.call === undefined || may(screen.call))
  )
  if (listed.length === 0) return null
  return (
    <div>
      <p class="group">{title}</p>
      <ul>
        {listed.map(({ entry, path: pattern }) => {
          const place = screenPath(pattern)
          return (
            <li key={pattern}>
              <a href={`#${place}`} aria-current={isAt(place) ? "page" : undefined}>
                <Icon name={entry.icon} />
                {entry.label}
                {pattern === "/reviews" && <WaitingReviews />}
              </a>
            </li>
          )
        })}
      </ul>
    </div>
  )
}

/** Subpages belong to their parent, unless they have a navigation entry. */
const isAt = (place: string): boolean => {
  const isBelow = (other: string) => path.value === other || path.value.startsWith(`${other}/`)
  const places = screens.filter(({ entry }) => entry !== undefined).map((screen) => screenPath(screen.path))
  const nearest = places.filter(isBelow).sort((a, b) => b.length - a.length)[0]
  return nearest === place
}

const EnvironmentSwitch = () => (
  <div class="environment" role="radiogroup" aria-label="Environment">
    {(["test", "live"] as const).map((name) => (
      <label key={name} class={name}>
        <input
          type="radio"
          name="environment"
          checked={environment.value === name}
          onChange={() => {
            environment.value = name
          }}
        />
        {environmentNames[name]}
      </label>
    ))}
  </div>
)
