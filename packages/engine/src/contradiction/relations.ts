import { memo } from './memo.ts'
import { copula } from './roles.ts'
import { isSameStem } from './stems.ts'
import type { Token } from './tokens.ts'
import { type Forms, hasForm, keyIn, readForms, type Worded } from './words.ts'

/** What two are to each other, `~` between the two sides. Written as the lists of languages are. */
const relations: Readonly<Record<string, string>> = {
  en: 'wife~husband;girlfriend~boyfriend;brother~sister;mother|father|parent~son|daughter|child;aunt|uncle~niece|nephew;student|pupil~teacher|tutor;boss|manager~assistant|employee;doctor~patient',
  fr: 'femme|épouse~mari|époux;frère~sœur|soeur;mère|père~fils|fille;élève~professeur',
  de: 'frau|ehefrau~mann|ehemann;bruder~schwester;mutter|vater~sohn|tochter;schüler|schülerin~lehrer|lehrerin;chef|chefin~assistent|assistentin',
  es: 'mujer|esposa~marido|esposo;hermano~hermana;madre|padre~hijo|hija;alumno|alumna~profesor|profesora',
  it: 'moglie~marito;fratello~sorella;madre|padre~figlio|figlia;allievo|allieva~insegnante',
  pt: 'mulher|esposa~marido|esposo;irmão~irmã;mãe|pai~filho|filha;aluno|aluna~professor|professora',
  nl: 'vrouw|echtgenote~man|echtgenoot;broer~zus;moeder|vader~zoon|dochter;leerling~leraar|lerares',
  sv: 'fru|hustru~man|make;bror~syster;mor|mamma|far|pappa~son|dotter;elev~lärare',
  pl: 'żoną~mężem;bratem~siostrą;matką|ojcem~synem|córką;uczniem|uczennicą~nauczycielem|nauczycielką',
  ru: 'жена~муж;брат~сестра;мать|отец~сын|дочь;ученик|ученица~учитель|учительница',
}

const relationsOf = memo((code: string): readonly (readonly Forms[])[] =>
  (relations[code] ?? '').split(';').map((group) => group.split('~').map((forms) => readForms(code, forms))),
)

/** Forms of "be" of what is over. */
const wasForm = /^(?:was|were|war|waren|etait|etaient|era|eran|erano|eram|fue|foi|var|byl[aoy]?|был[аио]?)$/

/** Whether a text says with "was" what somebody is to another, who need not be it any more. */
export const wasRelated = ({ reading: { tokens } }: Worded): boolean =>
  tokens.some(({ key, raw }) => /^\p{Ll}/u.test(raw) && wasForm.test(key))

/** Whether two texts say nothing but what two are to each other, each from another side: Uma is Ben's wife, Ben is Uma's husband. */
export function areMirrored(one: Worded, other: Worded): boolean {
  const { lexicon } = one
  if (lexicon !== other.lexicon) return false
  return relationsOf(lexicon.code).some((sides) =>
    sides.some((forms, i) => {
      const [pair, otherPair] = [relatedBy(one, forms), relatedBy(other, sides[1 - i] ?? [])]
      if (pair === undefined || otherPair === undefined) return false
      return isSameStem(pair[0].key, otherPair[1].key) && isSameStem(pair[1].key, otherPair[0].key)
    }),
  )
}

/** The two of whom a text says that one is such a relative of the other, if it says no more. */
function relatedBy(
  { reading, lexicon }: Worded,
  forms: Forms,
): readonly [first: Token, second: Token] | undefined {
  const { common, determiners, code } = lexicon
  const [first, ...rest] = reading.tokens
  if (first === undefined || !/^\p{Lu}/u.test(first.raw) || !rest.some(({ key }) => isForm(key, forms)))
    return undefined
  const isSmall = ({ raw }: Token, key: string) =>
    !/^\p{Lu}/u.test(raw) && (common.has(key) || isForm(key, determiners))
  const others = rest.filter((token) => {
    const key = keyIn(code, token)
    return !(isForm(key, forms) || key === 's' || copula.test(key) || isSmall(token, key))
  })
  const [second, ...more] = others
  if (second === undefined || more.length > 0 || !/^\p{Lu}/u.test(second.raw)) return undefined
  return [first, second]
}

const isForm = (key: string, forms: Forms): boolean => hasForm(` ${key} `, forms)
