export const palette = {
  'palette.title': 'Chercher ou aller à',
  'palette.hint': 'Une page, une organisation ou ce que vous cherchez',
  'palette.list': 'Choix possibles',
  'palette.found_one': '{{count, number}} choix',
  'palette.found_other': '{{count, number}} choix',
  'palette.search.words': 'Rechercher les mots dans les souvenirs : {{q}}',
  'palette.search.meaning': 'Rechercher par le sens dans les souvenirs : {{q}}',
}
