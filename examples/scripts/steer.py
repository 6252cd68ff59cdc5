"""A dev loop from Python, with plain JSON: start, pause, look, resume, answer.

    pip install temporalio
    python steer.py /home/me/shop
"""
import asyncio
import os
import sys
import time

from temporalio.client import Client


async def main(project: str) -> None:
    client = await Client.connect(os.environ.get("TEMPORAL_ADDRESS", "127.0.0.1:7233"), namespace="ratchet")
    run = await client.start_workflow(
        "devLoop",
        {"project": os.path.realpath(project), "task": "make the calculator right"},
        id=f"from-python-{int(time.time())}",
        task_queue="ratchet",
    )
    print(f"started {run.id}")

    await run.signal("pause", {"mode": "turn", "reason": "lunch"})
    print((await run.query("status"))["waitingFor"])
    await run.signal("resume")

    while not (questions := await run.query("questions")):
        await asyncio.sleep(0.5)
    question = questions[0]
    print(f"{question['text']} {question['options']}")
    print(await run.execute_update("answer", {"questionId": question["id"], "choice": "exit"}))

    result = await run.result()
    print(f"{result['outcome']} after {result['iterations']} iterations")


asyncio.run(main(sys.argv[1]))
# The client's threads outlive the loop, and Python may abort when it shuts down while they
# run (temporalio/sdk-python issue 300). So end without that shutdown.
sys.stdout.flush()
os._exit(0)
