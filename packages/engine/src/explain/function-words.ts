import type { ExplanationLanguage } from './languages.ts'

const list = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/u))

/**
 * Words of three letters and more that nearly every question and sentence of a language has, folded: that two texts
 * both have one says nothing of what they are about. By language: "car" and "son" are function words in French only.
 */
export const functionWords: Readonly<Record<ExplanationLanguage, ReadonlySet<string>>> = {
  en: list(`
    about after all also and any are because been before being both but can can't could couldn't did didn't does doesn't
    doing don't down each ever few for from get had has hasn't have haven't having her here hers him his how i'm i've
    into isn't it's its just let may might more most much must nor not now off once one only other our ours out over own
    per shall she should some such than that the their theirs them then there these they this those though through too
    under until upon very was wasn't were what when where which while who whom whose why will with without won't would
    you your yours`),
  fr: list(`
    afin ainsi alors apres assez aucun aucune aujourd'hui aussi autre autres aux avait avant avec avez avoir avons ayant
    beaucoup bien car ceci cela celle celles celui ces cet cette ceux chaque chez comme comment combien dans depuis des
    deux dois doit donc dont elle elles encore entre est est-ce etaient etais etait etant ete etes etre eux faire fais
    fait faut fois furent fut ici ils jamais jusque laquelle lequel les lesquelles lesquels leur leurs lors lui mais meme
    memes mes mien mienne moi moins mon nos notre nous ont par parce pas pendant peu peut peux plus plusieurs pour
    pourquoi pourrait pouvez presque puis quand que quel quelle quelles quelque quelqu'un quelques quels qui quoi rien
    sans sauf selon sera serait ses seul seule seulement sien sienne soi soit sommes son sont sous suis sur tandis tant
    tel telle tes tien tienne toi ton toujours tous tout toute toutes tres trop une vers voici voila vont vos votre
    vous`),
}
