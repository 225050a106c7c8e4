/** All screens: paths, permissions and navigation entries. */
import { type Screen, screen } from "./router/Screen.ts"

/** In the order of the navigation; the first match of an address counts. */
export const screens: ReadonlyArray<Screen> = [
  screen({
    path: "/",
    load: () => import("./screens/home/StartScreen.tsx").then(({ StartScreen }) => StartScreen)
  }),
  screen({
    path: "/organizations/:organization",
    call: "getOrganization",
    entry: { group: "organization", label: "Overview", icon: "home" },
    load: () => import("./screens/home/OverviewScreen.tsx").then(({ OverviewScreen }) => OverviewScreen)
  }),
  screen({
    path: "/organizations/:organization/keys",
    call: "listKeys",
    entry: { group: "organization", label: "Keys", icon: "key" },
    load: () => import("./screens/keys/KeysScreen.tsx").then(({ KeysScreen }) => KeysScreen)
  }),
  screen({
    path: "/organizations/:organization/keys/new",
    call: "createKey",
    load: () => import("./screens/keys/NewKeyScreen.tsx").then(({ NewKeyScreen }) => NewKeyScreen)
  }),
  screen({
    path: "/organizations/:organization/keys/origins",
    call: "listKeys",
    load: () => import("./screens/keys/origins/OriginsScreen.tsx").then(({ OriginsScreen }) => OriginsScreen)
  }),
  screen({
    path: "/organizations/:organization/keys/:key",
    call: "getKey",
    load: () => import("./screens/keys/KeyScreen.tsx").then(({ KeyScreen }) => KeyScreen)
  }),
  screen({
    path: "/organizations/:organization/try",
    call: "getOrganization",
    entry: { group: "organization", label: "Try it", icon: "play" },
    load: () => import("./screens/try/TryScreen.tsx").then(({ TryScreen }) => TryScreen)
  }),
  screen({
    path: "/organizations/:organization/usage",
    call: "usage",
    entry: { group: "organization", label: "Usage", icon: "usage" },
    load: () => import("./screens/usage/UsageScreen.tsx").then(({ UsageScreen }) => UsageScreen)
  }),
  screen({
    path: "/organizations/:organization/credits",
    call: "credits",
    entry: { group: "organization", label: "Credits", icon: "credits" },
    load: () => import("./screens/credits/CreditsScreen.tsx").then(({ CreditsScreen }) => CreditsScreen)
  }),
  screen({
    path: "/organizations/:organization/verification",
    call: "getOrganization",
    entry: { group: "organization", label: "Verification", icon: "review" },
    load: () =>
      import("./screens/organizations/reviews/VerificationScreen.tsx").then(
        ({ VerificationScreen }) => VerificationScreen
      )
  }),
  screen({
    path: "/organizations/:organization/webhooks",
    call: "listWebhooks",
    entry: { group: "organization", label: "Webhooks", icon: "bell" },
    load: () => import("./screens/webhooks/WebhooksScreen.tsx").then(({ WebhooksScreen }) => WebhooksScreen)
  }),
  screen({
    path: "/organizations/:organization/webhooks/:webhook",
    call: "listDeliveries",
    load: () => import("./screens/webhooks/WebhookScreen.tsx").then(({ WebhookScreen }) => WebhookScreen)
  }),
  screen({
    path: "/organizations/:organization/members",
    call: "listMembers",
    entry: { group: "organization", label: "Members", icon: "people" },
    load: () => import("./screens/accounts/MembersScreen.tsx").then(({ MembersScreen }) => MembersScreen)
  }),
  screen({
    path: "/organizations/:organization/audit",
    call: "audit",
    entry: { group: "organization", label: "Audit", icon: "list" },
    load: () => import("./screens/audit/AuditScreen.tsx").then(({ AuditScreen }) => AuditScreen)
  }),
  screen({
    path: "/organizations/:organization/manage",
    call: "updateOrganization",
    entry: { group: "organization", label: "Manage", icon: "info" },
    load: () => import("./screens/organizations/ManageScreen.tsx").then(({ ManageScreen }) => ManageScreen)
  }),
  screen({
    path: "/instance",
    call: "decideAccessRequest",
    entry: { group: "instance", label: "Overview", icon: "home" },
    load: () => import("./screens/home/InstanceScreen.tsx").then(({ InstanceScreen }) => InstanceScreen)
  }),
  screen({
    path: "/reviews",
    call: "decideAccessRequest",
    entry: { group: "instance", label: "Reviews", icon: "review" },
    load: () => import("./screens/organizations/reviews/ReviewsScreen.tsx").then(({ ReviewsScreen }) => ReviewsScreen)
  }),
  screen({
    path: "/organizations",
    call: "createOrganization",
    entry: { group: "instance", label: "Organizations", icon: "organization" },
    load: () =>
      import("./screens/organizations/OrganizationsScreen.tsx").then(({ OrganizationsScreen }) => OrganizationsScreen)
  }),
  screen({
    path: "/end-users",
    call: "findEndUser",
    entry: { group: "instance", label: "End users", icon: "people" },
    load: () => import("./screens/widget/EndUsersScreen.tsx").then(({ EndUsersScreen }) => EndUsersScreen)
  }),
  screen({
    path: "/directory",
    call: "directory",
    entry: { group: "instance", label: "Directory", icon: "map" },
    load: () => import("./screens/directory/DirectoryScreen.tsx").then(({ DirectoryScreen }) => DirectoryScreen)
  }),
  screen({
    path: "/operators",
    call: "listOperators",
    entry: { group: "instance", label: "Operators", icon: "account" },
    load: () => import("./screens/accounts/OperatorsScreen.tsx").then(({ OperatorsScreen }) => OperatorsScreen)
  }),
  screen({
    path: "/audit",
    // Owners may read the log as well, but only their organization's.
    call: "listOperators",
    entry: { group: "instance", label: "Full audit", icon: "list" },
    load: () => import("./screens/audit/InstanceAuditScreen.tsx").then(({ InstanceAuditScreen }) => InstanceAuditScreen)
  }),
  screen({
    path: "/account",
    call: "getOwnAccount",
    load: () => import("./screens/accounts/AccountScreen.tsx").then(({ AccountScreen }) => AccountScreen)
  })
]
