/** The pages that the frame leads to, by what they are about. */
export const menu = [
  {
    name: 'menu.memory',
    pages: [
      { to: '/', name: 'overview.title' },
      { to: '/start', name: 'start.title' },
      { to: '/memories', name: 'memories.title' },
      { to: '/map', name: 'map.title' },
      { to: '/subjects', name: 'subjects.title' },
      { to: '/playground', name: 'playground.title' },
      { to: '/forget', name: 'forget.title' },
      { to: '/data', name: 'data.title' },
    ],
  },
  {
    name: 'menu.engine',
    pages: [
      { to: '/engine', name: 'engine.title' },
      { to: '/engine/runs', name: 'runs.title' },
      { to: '/engine/spurious', name: 'spurious.title' },
      { to: '/conflicts', name: 'conflicts.title' },
      { to: '/acceleration', name: 'acceleration.title' },
    ],
  },
  {
    name: 'menu.organization',
    pages: [
      { to: '/members', name: 'members.title' },
      { to: '/keys', name: 'keys.title' },
      { to: '/usage', name: 'usage.title' },
      { to: '/webhooks', name: 'webhooks.title' },
      { to: '/notifications', name: 'notifications.title' },
      { to: '/audit', name: 'audit.title' },
      { to: '/organization', name: 'organization.title' },
    ],
  },
  {
    name: 'menu.operators',
    pages: [
      { to: '/operators/organizations', name: 'organizations.title' },
      { to: '/operators/users', name: 'users.title' },
      { to: '/operators/queues', name: 'queues.title' },
      { to: '/operators/health', name: 'health.title' },
      { to: '/operators/backups', name: 'backups.title' },
      { to: '/operators/receipts', name: 'allReceipts.title' },
    ],
  },
  {
    name: 'menu.person',
    pages: [
      { to: '/account', name: 'account.title' },
      { to: '/sessions', name: 'sessions.title' },
    ],
  },
] as const

/** The group of pages that only platform admins may use. */
export const operatorsMenu = 'menu.operators'
