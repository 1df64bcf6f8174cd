/** What may stand between the digits of a number. */
const gap = String.raw`(?:\)[ \-]?| ?\(|[ \-.\/:])?`
/** The code of a country, and the zero that is dialled within it alone: "+49 (0)171". */
const country = String.raw`(?:\+|(?<!\p{N})00)\p{N}{1,3}${gap}(?:0\)? ?)?`
/** Fewer digits behind the code of an area, or of a country, may be of another number. */
const restMin = 8

/** A text in which the codes of areas stand without brackets, and no zero in brackets behind the code of a country. */
export const withoutBrackets = (text: string): string =>
  text.replaceAll(/(?<=\+\d{1,3} ?)\(0\) ?/gu, '').replaceAll(/\((\d{2,5})\)[ -]?(?=\d)/gu, '$1 ')

/**
 * The pattern of a long number in whatever groups. A telephone's may be written as it is dialled within its country or from
 * abroad: "0171 555 1234" and "+49 171 555 1234".
 * @param digits all of them; without "+"
 */
export function telephoneNumber(digits: string): string {
  const inGroups = (some: string): string => [...some].join(gap)
  const forms = [inGroups(digits)]
  const isFromAbroad = digits.startsWith('00')
  const rest = digits.replace(/^0+/u, '')
  if (!isFromAbroad && rest.length >= restMin) forms.push(`${country}${inGroups(rest)}`)
  // How long the code of the country is, only its digits would tell.
  if (isFromAbroad || rest === digits)
    for (const length of [1, 2, 3])
      if (rest.length - length >= restMin && rest[length] !== '0')
        forms.push(`0${gap}${inGroups(rest.slice(length))}`)
  if (isFromAbroad) forms.push(inGroups(rest))
  return `(?:${forms.join('|')})`
}

/** What stands before the code of a country; zeros before digits without groups may be of an account. */
const abroad = /^(?:\+|00(?=\d{1,3}\D))/u
/** Within Russia and Kazakhstan an 8 is dialled for the code of the country, which is 7. */
const eight = /^8(?=(?:\D*\d){10}$)/u

/** Whether two numbers are that of one telephone, as it is dialled within a country or from abroad; one of them is from abroad. */
export function isSameTelephone(one: string, other: string): boolean {
  if (!abroad.test(one) && !abroad.test(other)) return false
  const digitsOf = (number: string) => number.replace(abroad, '').replace(eight, '7').replaceAll(/\D/gu, '')
  if (digitsOf(one) === digitsOf(other)) return digitsOf(one).length >= restMin
  const dials = (number: string, written: string) =>
    new RegExp(`^${telephoneNumber(number.replaceAll(/\D/gu, ''))}$`, 'u').test(written)
  return dials(one, other) || dials(other, one)
}
