/** All screens: paths, permissions and navigation entries. */
import { listed, type Screen, screen } from "./router/Screen.ts"

/** In the order of the navigation; the first match of an address counts. */
export const screens: ReadonlyArray<Screen> = [
  screen("/", undefined, () => import("./screens/home/StartScreen.tsx").then(({ StartScreen }) => StartScreen)),
  listed("/organizations/:organization", "getOrganization", "Overview", "home", () =>
    import("./screens/home/OverviewScreen.tsx").then(({ OverviewScreen }) => OverviewScreen)
  ),
  listed("/organizations/:organization/keys", "listKeys", "Keys", "key", () =>
    import("./screens/keys/KeysScreen.tsx").then(({ KeysScreen }) => KeysScreen)
  ),
  screen("/organizations/:organization/keys/new", "createKey", () =>
    import("./screens/keys/NewKeyScreen.tsx").then(({ NewKeyScreen }) => NewKeyScreen)
  ),
  screen("/organizations/:organization/keys/origins", "listKeys", () =>
    import("./screens/keys/origins/OriginsScreen.tsx").then(({ OriginsScreen }) => OriginsScreen)
  ),
  screen("/organizations/:organization/keys/:key", "getKey", () =>
    import("./screens/keys/KeyScreen.tsx").then(({ KeyScreen }) => KeyScreen)
  ),
  listed("/organizations/:organization/try", "getOrganization", "Try it", "play", () =>
    import("./screens/try/TryScreen.tsx").then(({ TryScreen }) => TryScreen)
  ),
  listed("/organizations/:organization/usage", "usage", "Usage", "usage", () =>
    import("./screens/usage/UsageScreen.tsx").then(({ UsageScreen }) => UsageScreen)
  ),
  listed("/organizations/:organization/selections", "selections", "Selections", "check", () =>
    import("./screens/widget/SelectionsScreen.tsx").then(({ SelectionsScreen }) => SelectionsScreen)
  ),
  listed("/organizations/:organization/credits", "credits", "Credits", "credits", () =>
    import("./screens/credits/CreditsScreen.tsx").then(({ CreditsScreen }) => CreditsScreen)
  ),
  listed("/organizations/:organization/verification", "getOrganization", "Verification", "review", () =>
    import("./screens/organizations/reviews/VerificationScreen.tsx").then(
      ({ VerificationScreen }) => VerificationScreen
    )
  ),
  listed("/organizations/:organization/webhooks", "listWebhooks", "Webhooks", "bell", () =>
    import("./screens/webhooks/WebhooksScreen.tsx").then(({ WebhooksScreen }) => WebhooksScreen)
  ),
  screen("/organizations/:organization/webhooks/:webhook", "listDeliveries", () =>
    import("./screens/webhooks/WebhookScreen.tsx").then(({ WebhookScreen }) => WebhookScreen)
  ),
  listed("/organizations/:organization/members", "listMembers", "Members", "people", () =>
    import("./screens/accounts/MembersScreen.tsx").then(({ MembersScreen }) => MembersScreen)
  ),
  listed("/organizations/:organization/audit", "audit", "Audit", "list", () =>
    import("./screens/audit/AuditScreen.tsx").then(({ AuditScreen }) => AuditScreen)
  ),
  listed("/organizations/:organization/manage", "updateOrganization", "Manage", "info", () =>
    import("./screens/organizations/ManageScreen.tsx").then(({ ManageScreen }) => ManageScreen)
  ),
  listed("/instance", "decideAccessRequest", "Overview", "home", () =>
    import("./screens/home/InstanceScreen.tsx").then(({ InstanceScreen }) => InstanceScreen)
  ),
  listed("/reviews", "decideAccessRequest", "Reviews", "review", () =>
    import("./screens/organizations/reviews/ReviewsScreen.tsx").then(({ ReviewsScreen }) => ReviewsScreen)
  ),
  listed("/organizations", "createOrganization", "Organizations", "organization", () =>
    import("./screens/organizations/OrganizationsScreen.tsx").then(({ OrganizationsScreen }) => OrganizationsScreen)
  ),
  listed("/credits", "creditDays", "Credits", "credits", () =>
    import("./screens/credits/InstanceCreditsScreen.tsx").then(({ InstanceCreditsScreen }) => InstanceCreditsScreen)
  ),
  listed("/end-users", "findEndUser", "End users", "people", () =>
    import("./screens/widget/EndUsersScreen.tsx").then(({ EndUsersScreen }) => EndUsersScreen)
  ),
  listed("/directory", "directory", "Directory", "map", () =>
    import("./screens/directory/DirectoryScreen.tsx").then(({ DirectoryScreen }) => DirectoryScreen)
  ),
  screen("/directory/import", "openImport", () =>
    import("./screens/directory/import/ImportScreen.tsx").then(({ ImportScreen }) => ImportScreen)
  ),
  screen("/directory/units/:postcode", "getUnit", () =>
    import("./screens/directory/unit/UnitScreen.tsx").then(({ UnitScreen }) => UnitScreen)
  ),
  listed("/operators", "listOperators", "Operators", "account", () =>
    import("./screens/accounts/OperatorsScreen.tsx").then(({ OperatorsScreen }) => OperatorsScreen)
  ),
  // Owners may read the log as well, but only their organization's.
  listed("/audit", "listOperators", "Full audit", "list", () =>
    import("./screens/audit/InstanceAuditScreen.tsx").then(({ InstanceAuditScreen }) => InstanceAuditScreen)
  ),
  listed("/mail", "listNotices", "Mail", "bell", () =>
    import("./screens/mail/NoticesScreen.tsx").then(({ NoticesScreen }) => NoticesScreen)
  ),
  screen("/account", "getOwnAccount", () =>
    import("./screens/accounts/AccountScreen.tsx").then(({ AccountScreen }) => AccountScreen)
  )
]
