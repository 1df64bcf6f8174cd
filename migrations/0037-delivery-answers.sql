-- What the owners of a webhook see of its last answer: how its body begins, and how long the attempt took.
alter table app.webhook_deliveries
  add column response_body text,
  add column duration_ms integer;
