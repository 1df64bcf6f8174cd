"""What schemathesis cannot know of this service from its description alone (read through SCHEMATHESIS_HOOKS)."""

import json
import os
import urllib.request
import uuid
from random import Random

import schemathesis

URL = os.environ["SCHEMA_RUN_URL"]
# Ids that exist, by the name of their path parameter: made-up ones never get beyond 404.
IDS = json.loads(os.environ["SCHEMA_RUN_IDS"])
# Operations that end the session they are called in.
LEAVING = os.environ["SCHEMA_RUN_LEAVING"].split(",")
# Of a benchmark: what it may be told to do, and what it is told to do here.
MOST_ITERATIONS = int(os.environ["SCHEMA_RUN_MOST_ITERATIONS"])
FEW_ITERATIONS = 10

random = Random(1)


@schemathesis.hook
def map_path_parameters(context, path_parameters):
    for name, value in (path_parameters or {}).items():
        # Values that are no ids stay, since they are what is tried.
        if name in IDS and is_id(value) and random.random() < 0.7:
            path_parameters[name] = IDS[name]
    return path_parameters


def is_id(value):
    try:
        uuid.UUID(value)
        return True
    except (ValueError, AttributeError, TypeError):
        return False


@schemathesis.hook
def before_call(context, case, kwargs):
    # A benchmark works as long as it is told to, up to 30 s, and many are asked for. Numbers at their bounds are made in
    # a phase that passes over hooks of bodies. What the service refuses stays as it is.
    body = case.body
    if isinstance(body, dict) and type(body.get("n_iterations")) is int:
        if FEW_ITERATIONS < body["n_iterations"] <= MOST_ITERATIONS:
            body["n_iterations"] = FEW_ITERATIONS


@schemathesis.auth(refresh_interval=None).apply_to(operation_id=LEAVING)
class NewUser:
    """A user of its own for each request."""

    def get(self, case, context):
        body = {"email": f"{uuid.uuid4()}@example.com", "password": "a user of one request"}
        request = urllib.request.Request(
            f"{URL}/v1/auth/register",
            data=json.dumps(body).encode(),
            headers={"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)["access_token"]

    def set(self, case, data, context):
        case.headers["Authorization"] = f"Bearer {data}"


@schemathesis.hook
def filter_failure(context, failure, case, response):
    # An empty X-API-Key counts as none, so that the access token beside it says who it is.
    return not (failure.__class__.__name__ == "IgnoredAuth" and (case.headers or {}).get("X-API-Key") == "")
