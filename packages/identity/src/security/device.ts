/** In this order: what comes later names what came before as its relatives. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:A|iOS|e)?\//, 'Edge'],
  [/\b(?:OPR|OPT|Opera)[/ ]/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|Chromium|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/[\d.]+ .*\bSafari\//, 'Safari'],
]

const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\b(?:Macintosh|Mac OS X)\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

/** The name that comes first, as programs give theirs: `curl/8.5.0`. */
const program = /^([A-Za-z][\w.-]{0,39})(?:\/|\s|$)/

/**
 * What people call a device, from the `User-Agent` that it sent: `Firefox on Windows`, `Safari on iPhone`, `curl`. Its
 * words are from the lists above or plain letters, whatever was sent.
 */
export function deviceOf(userAgent: string | null): string {
  const text = userAgent?.slice(0, readChars) ?? ''
  const browser = nameIn(text, browsers)
  const system = nameIn(text, systems)
  if (browser !== undefined && system !== undefined) return `${browser} on ${system}`
  const [, name] = program.exec(text) ?? []
  const known = browser ?? (name === 'Mozilla' ? undefined : name)
  return known ?? system ?? unknownDevice
}

const unknownDevice = 'Unknown device'
/** Names stand at the beginning of what may be 16 KiB. */
const readChars = 512

const nameIn = (userAgent: string, names: readonly (readonly [RegExp, string])[]) =>
  names.find(([pattern]) => pattern.test(userAgent))?.[1]
