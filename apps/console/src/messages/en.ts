import { account } from './en/account.ts'
import { audit } from './en/audit.ts'
import { common } from './en/common.ts'
import { data } from './en/data.ts'
import { engine } from './en/engine.ts'
import { errors } from './en/errors.ts'
import { home } from './en/home.ts'
import { keys } from './en/keys.ts'
import { map } from './en/map.ts'
import { memories } from './en/memories.ts'
import { notifications } from './en/notifications.ts'
import { operators } from './en/operators.ts'
import { organization } from './en/organization.ts'
import { outside } from './en/outside.ts'
import { palette } from './en/palette.ts'
import { playground } from './en/playground.ts'
import { usage } from './en/usage.ts'
import { webhooks } from './en/webhooks.ts'

/** Every text of the console, in a file for each group of pages. `{{name}}` is filled in; what ends in _one and _other goes by a count. */
export const en = {
  ...common,
  ...errors,
  ...outside,
  ...home,
  ...memories,
  ...palette,
  ...map,
  ...playground,
  ...engine,
  ...keys,
  ...organization,
  ...audit,
  ...account,
  ...operators,
  ...webhooks,
  ...usage,
  ...data,
  ...notifications,
} as const
