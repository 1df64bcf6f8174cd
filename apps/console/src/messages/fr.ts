import type { en } from './en.ts'
import { account } from './fr/account.ts'
import { audit } from './fr/audit.ts'
import { common } from './fr/common.ts'
import { data } from './fr/data.ts'
import { engine } from './fr/engine.ts'
import { errors } from './fr/errors.ts'
import { home } from './fr/home.ts'
import { keys } from './fr/keys.ts'
import { map } from './fr/map.ts'
import { memories } from './fr/memories.ts'
import { notifications } from './fr/notifications.ts'
import { operators } from './fr/operators.ts'
import { organization } from './fr/organization.ts'
import { outside } from './fr/outside.ts'
import { palette } from './fr/palette.ts'
import { playground } from './fr/playground.ts'
import { usage } from './fr/usage.ts'
import { webhooks } from './fr/webhooks.ts'

export const fr: Record<keyof typeof en, string> = {
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
}
