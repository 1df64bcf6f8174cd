-- How often a mail's recipient was refused. The attempts of its event also count those at a server that was down.
alter table app.mails add column refusals integer not null default 0;
