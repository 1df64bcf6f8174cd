/** The order matters: the user agents of earlier browsers also contain the names of later ones. */
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

/** The name at the beginning, as programs write it: `curl/8.5.0`. */
const program = /^([A-Za-z][\w.-]{0,39})(?:\/|\s|$)/

/**
 * A readable name for a device, from its `User-Agent`: `Firefox on Windows`, `Safari on iPhone`, `curl`. Whatever was sent, the
 * result only has words of the lists above, or a short name of letters, digits and `.-_`.
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
/** Characters that are read: the names are at the beginning of a header that may have 16 KiB. */
const readChars = 512

const nameIn = (userAgent: string, names: readonly (readonly [RegExp, string])[]) =>
  names.find(([pattern]) => pattern.test(userAgent))?.[1]
