import { composeExplanation } from '@memory/engine/explain/compose'
import { parameters } from '@memory/engine/parameters'
import { describe, expect, it } from 'vitest'

const ada = { idx: 3, text: 'Ada habite à Lisbonne.', cosine: 0.8312 }
const lea = { idx: 8, text: 'La sœur d’Ada vit à Porto.', cosine: 0.5 }
const bob = { idx: 9, text: 'Bob likes “Porto”.', cosine: 0.36 }

describe('composeExplanation', () => {
  it('quotes and says why, in French', () => {
    const associationOf = (a: number, b: number) => (a === 3 && b === 8 ? 0.24 : 0.09)
    expect(composeExplanation('Où habite la sœur d’Ada ?', [ada, lea, bob], 'fr', { associationOf })).toBe(
      'Le souvenir le plus proche est «\u00a0Ada habite à Lisbonne.\u00a0» (très proche de la requête par le sens, similarité 0,83\u00a0; mots communs\u00a0: Ada, habite). ' +
        'Il y a aussi «\u00a0La sœur d’Ada vit à Porto.\u00a0» (proche de la requête par le sens, similarité 0,50\u00a0; mots communs\u00a0: sœur, Ada\u00a0; souvent consulté peu avant ou après le premier). ' +
        'Et «\u00a0Bob likes “Porto”.\u00a0» (lié de loin à la requête, similarité 0,36).',
    )
  })

  it('quotes and says why, in English', () => {
    expect(composeExplanation('Where does Ada live?', [ada, lea], 'en')).toBe(
      'The nearest memory is “Ada habite à Lisbonne.” (very close to the query in meaning, similarity 0.83; shared word: Ada). ' +
        'There is also “La sœur d’Ada vit à Porto.” (close to the query in meaning, similarity 0.50; shared word: Ada).',
    )
  })

  it('calls what contradicts the query not nearly the same, however near it is', () => {
    const chen = { idx: 1, text: 'Chen is allergic to cats.', cosine: 0.97 }
    const said = (query: string) => composeExplanation(query, [chen], 'en')
    expect(said('Chen is allergic to cats')).toContain('nearly the same as the query in meaning')
    expect(said('Chen is not allergic to cats.')).toContain('very close to the query in meaning')
  })

  it('says that there is no evidence, and whether there is any text', () => {
    expect(composeExplanation('x', [], 'en')).toMatch(/^No text in memory is close enough/)
    expect(composeExplanation('x', [], 'fr')).toMatch(/^Aucun texte en mémoire n’est assez proche/)
    expect(composeExplanation('x', [], 'en', { isEmpty: true })).toMatch(/^No text is in memory, so/)
    expect(composeExplanation('x', [], 'fr', { isEmpty: true })).toMatch(/^Aucun texte n’est en mémoire,/)
  })

  it('takes nothing in a stored text for its own: patterns of replacement, placeholders, quotes, lines', () => {
    const text = "$& $1 {text} %s $x ” « <script>alert('x')</script>\n\n# Title \\n &amp;"
    const explained = composeExplanation('alert', [{ idx: 0, text, cosine: 0.9 }], 'en')
    expect(explained).toContain(`‘${text}’`)
  })

  it('quotes between other marks than those of the text', () => {
    const quoted = (text: string, language: 'en' | 'fr') =>
      composeExplanation('x', [{ idx: 0, text, cosine: 0.9 }], language)
    expect(quoted('« Bonjour », dit-il.', 'fr')).toContain('est “« Bonjour », dit-il.” (')
    expect(quoted('Il dit “bonjour”.', 'fr')).toContain('est «\u00a0Il dit “bonjour”.\u00a0» (')
    expect(quoted('He says “hello”.', 'en')).toContain('is ‘He says “hello”.’ (')
  })

  it('calls not near what has only the words of the query', () => {
    const far = [{ idx: 0, text: 'Ada saw Mona.', cosine: 0.2 }]
    expect(composeExplanation('Mona', far, 'en')).toMatch(
      /^No text in memory is close to the query in meaning, but this one has its words: “Ada saw Mona\.” \(loosely .*shared word: Mona/,
    )
    expect(composeExplanation('Mona', far, 'fr', { isNarrowed: true, isAskedNearer: true })).toMatch(
      /^Hormis ce qui pose la même question, aucun des textes parcourus n’est proche de la requête par le sens, mais celui-ci en a les mots\u00a0: «/,
    )
  })

  it('does not deny that something is near where what has the words of the query comes before it', () => {
    const far = { idx: 0, text: 'The bicycle has frame KQ-77310.', cosine: 0.2 }
    const near = { idx: 1, text: 'Ticket KQ-77319 is open.', cosine: 0.72 }
    const said = (language: 'en' | 'fr') =>
      composeExplanation('Is ticket KQ-77310 open?', [far, near], language, { precedence: 'named' })
    expect(said('en')).toMatch(
      /^The memory that has what the query names is “The bicycle .* “Ticket KQ-77319/,
    )
    expect(said('fr')).toMatch(/^Le souvenir qui a ce que la requête nomme est «/)
  })

  it('says that a question is in memory without an answer', () => {
    const asked = [{ idx: 0, text: 'Where is Ada?', cosine: 1 }]
    const said = (language: 'en' | 'fr') =>
      composeExplanation('Where is Ada?', asked, language, { isOnlyAsked: true })
    expect(said('en')).toMatch(
      /^A question like this is in memory, but no text .* answer it\. The nearest memory is “Where/,
    )
    expect(said('fr')).toMatch(
      /^Une question semblable est en mémoire, .* répondre\. Le souvenir le plus proche est/,
    )
  })

  it('claims nothing of what was not searched', () => {
    const narrowed = { isNarrowed: true }
    expect(composeExplanation('x', [], 'en', narrowed)).toMatch(/^None of the texts searched is close enough/)
    expect(composeExplanation('x', [], 'fr', narrowed)).toMatch(/^Aucun des textes parcourus n’est assez/)
    expect(composeExplanation('x', [lea], 'en', narrowed)).toMatch(
      /^The nearest of the memories searched is “/,
    )
    expect(composeExplanation('x', [lea], 'fr', narrowed)).toMatch(
      /^Le plus proche des souvenirs parcourus est/,
    )
    const asked = { isNarrowed: true, isOnlyAsked: true }
    expect(composeExplanation('x', [lea], 'en', asked)).toMatch(
      /^A question like this is among the texts searched/,
    )
    expect(composeExplanation('x', [lea], 'fr', asked)).toMatch(/^Une question .* parmi les textes parcourus/)
  })

  it.each([
    [
      'newest',
      'The newest of the nearest memories is “',
      'Le plus récent des souvenirs les plus proches est «',
    ],
    [
      'ofTime',
      'The nearest memory of the time asked for is “',
      'Le souvenir le plus proche de l’époque demandée est «',
    ],
    [
      'newestOfTime',
      'The newest of the nearest memories of the time asked for is “',
      'Le plus récent des souvenirs les plus proches, parmi ceux de l’époque demandée, est «',
    ],
    ['other', 'One of the nearest memories is “', 'L’un des souvenirs les plus proches est «'],
  ] as const)('says why the first comes before what is nearer: %s', (precedence, english, french) => {
    expect(composeExplanation('x', [lea, ada], 'en', { precedence }).startsWith(english)).toBe(true)
    expect(composeExplanation('x', [lea, ada], 'fr', { precedence }).startsWith(french)).toBe(true)
  })

  it('does not call nearest what is so beside stored questions alone', () => {
    const options = { isAskedNearer: true }
    expect(composeExplanation('x', [lea], 'en', options)).toMatch(
      /^Leaving aside what only asks the same, the nearest memory is “/,
    )
    expect(composeExplanation('x', [lea], 'fr', options)).toMatch(
      /^Hormis ce qui pose la même question, le souvenir le plus proche est «/,
    )
  })

  it('calls no pair often used together for one sleep and one answer, however new all was', () => {
    const { sleep, learning, modulation } = parameters
    const answer = learning.associationRate * (modulation.calmLearning + 1)
    const said = (weight: number) =>
      composeExplanation('x', [ada, lea], 'en', { associationOf: () => weight })
    expect(said(1 - (1 - sleep.associationRate) * (1 - answer))).not.toContain('often used')
    expect(said(1 - (1 - sleep.associationRate) * (1 - answer) ** 2)).toContain('often used')
  })

  it('says that it quotes a part of a text that is one sentence', () => {
    const passage = `cat number 49 ${'sits on the mat and looks '.repeat(30)}`
    const evidence = [{ idx: 0, text: passage, whole: `The ${passage.repeat(10)}end.`, cosine: 0.9 }]
    expect(composeExplanation('Where is cat 49?', evidence, 'en')).toContain('; part of a longer text)')
    expect(composeExplanation('Où est le chat 49 ?', evidence, 'fr')).toContain(
      '; extrait d’un texte plus long)',
    )
  })

  it('says how much of a passage’s whole text it quotes', () => {
    const passage = 'Ada is here. Nothing else.'
    const evidence = [{ idx: 0, text: passage, whole: `One. Two. ${passage} Three.`, cosine: 0.9 }]
    const quoted = composeExplanation('Where is Ada?', evidence, 'en')
    expect(quoted).toContain(`“${passage}”`)
    expect(quoted).toContain('2 sentences of 5')
  })

  it('says how much of a long text it quotes', () => {
    const text = `${'word '.repeat(200)}end. Ada is here. Nothing else.`
    const quoted = composeExplanation('Where is Ada?', [{ idx: 0, text, cosine: 0.9 }], 'fr')
    expect(quoted).toContain('«\u00a0Ada is here. Nothing else.\u00a0»')
    expect(quoted).toContain('2 phrases sur 3')
  })
})
