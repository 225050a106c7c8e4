import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { Dialog } from "../kit/dialogs/Dialog.tsx"
import { Button } from "../kit/forms/Button.tsx"
import { Icon } from "../kit/layout/Icon.tsx"
import { goTo, path } from "../router/address.ts"
import { OrganizationSearch } from "../screens/organizations/OrganizationSearch.tsx"
import { organization } from "../state/organization.ts"
import { isOperator } from "../state/permissions.ts"
import { account } from "../state/session.ts"
import { OwnOrganizations } from "./OwnOrganizations.tsx"

/** The selected organization. Operators and accounts of several organizations can change it here. */
export const OrganizationSwitch = () => {
  const isOpen = useSignal(false)
  const name = organization.value?.name ?? "…"
  const place = path.value
  // Any navigation, including the browser's back button, closes it.
  useEffect(() => {
    isOpen.value = false
  }, [place, isOpen])
  if (!isOperator() && (account.value?.memberships.length ?? 0) < 2) {
    return (
      <p class="switch">
        <Icon name="organization" />
        <span class="name" title={name}>
          {name}
        </span>
      </p>
    )
  }
  const close = () => {
    isOpen.value = false
  }
  return (
    <>
      <button type="button" class="switch" onClick={() => (isOpen.value = true)}>
        <Icon name="organization" />
        <span class="name" title={name}>
          {name}
        </span>
        <Icon name="switch" />
        <span class="unseen">, select another organization</span>
      </button>
      {isOpen.value && (
        <Dialog title="Select another organization" onClose={close}>
          {isOperator() ? (
            <>
              <OrganizationSearch onPick={(id) => goTo(`/organizations/${id}`)} />
              <div class="actions">
                <Button onClick={() => goTo("/organizations")}>All organizations</Button>
              </div>
            </>
          ) : (
            <OwnOrganizations />
          )}
        </Dialog>
      )}
    </>
  )
}
